// A lock that prefers writers lets no reader in while one waits: the second lock for reading waits for the writer, who
// waits for the first one.
// args: --property deadlocks
// expect: UNSAFE deadlocks
#define _GNU_SOURCE
#include <pthread.h>

pthread_rwlock_t lock;

void *writer(void *arg) {
    pthread_rwlock_wrlock(&lock); //~ deadlocks
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attr);
    pthread_create(&t, 0, writer, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock); //~ deadlocks
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
