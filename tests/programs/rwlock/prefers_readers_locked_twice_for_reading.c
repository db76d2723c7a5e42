// Without that attribute glibc lets a reader in although a writer waits; a static initialiser can have it, too, but who
// locks once for reading does not mind.
// args: --property deadlocks,locks
// expect: SAFE
#define _GNU_SOURCE
#include <pthread.h>

pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
pthread_rwlock_t writers = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

void *writer(void *arg) {
    pthread_rwlock_wrlock(&readers);
    pthread_rwlock_unlock(&readers);
    pthread_rwlock_wrlock(&writers);
    pthread_rwlock_unlock(&writers);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_rwlock_rdlock(&readers);
    pthread_rwlock_rdlock(&readers);
    pthread_rwlock_unlock(&readers);
    pthread_rwlock_unlock(&readers);
    pthread_rwlock_rdlock(&writers);
    pthread_rwlock_unlock(&writers);
    pthread_join(t, 0);
    return 0;
}
