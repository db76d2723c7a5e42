/* Condition variables of threads.h: those of pthread.h by other names, see pthread_cond.c.
 * left out: failures (thrd_nomem; thrd_error but for a deadline that is none).
 *
 * accesses: hidden
 */
#include "pthread_types.h"

enum { thrd_success, thrd_error = 2, thrd_timedout = 4 };

int cnd_init(pthread_cond_t *cond) {
    pthread_cond_init(cond, NULL);
    return thrd_success;
}

int cnd_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    pthread_cond_wait(cond, mutex);
    return thrd_success;
}

int cnd_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const void *time) {
    int error = pthread_cond_timedwait(cond, mutex, time);
    return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int cnd_signal(pthread_cond_t *cond) {
    pthread_cond_signal(cond);
    return thrd_success;
}

int cnd_broadcast(pthread_cond_t *cond) {
    pthread_cond_broadcast(cond);
    return thrd_success;
}
