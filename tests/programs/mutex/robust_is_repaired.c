// args: --property assertions,deadlocks,locks
// expect: SAFE
// The next one that locks a robust mutex learns that its holder has ended, and repairs it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &robust);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_lock(&m) == EOWNERDEAD);
    assert(pthread_mutex_consistent(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_consistent(&m) == EINVAL);
    assert(pthread_mutex_unlock(&m) == 0);
    return 0;
}
