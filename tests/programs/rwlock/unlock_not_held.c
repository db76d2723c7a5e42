// args: --property locks
// expect: UNSAFE locks
// Nobody holds the lock.
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&l); //~ locks
    return 0;
}
