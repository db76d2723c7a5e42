// args: --property assertions
// expect: UNSAFE assertions
// A robust mutex that is unlocked before it is repaired can never be locked again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    pthread_exit(arg);
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &robust);
    pthread_create(&t, 0, work, 0);
    int error = pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    if (error == EOWNERDEAD)
        assert(pthread_mutex_lock(&m) == 0); //~ assertions
    pthread_join(t, 0);
    return 0;
}
