// A thread that unlocks twice takes the lock of another reader.
// args: --property locks
// expect: UNSAFE locks
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    return 0;
}
