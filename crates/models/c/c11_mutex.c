/* Mutexes of threads.h: those of pthread.h by other names, see pthread_mutex.c.
 * left out: failures of mtx_init; mtx_trylock that fails although the mutex is free, as C11 allows; a timed lock times out
 * only while the mutex is not free.
 *
 * accesses: hidden
 */
#include "pthread_types.h"

enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_recursive = 1 };

int mtx_init(pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t attr = {type & mtx_recursive ? MUTEX_RECURSIVE : MUTEX_NORMAL};
    pthread_mutex_init(mutex, &attr);
    return thrd_success;
}

void mtx_destroy(pthread_mutex_t *mutex) { pthread_mutex_destroy(mutex); }

int mtx_lock(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    return thrd_success;
}

int mtx_trylock(pthread_mutex_t *mutex) {
    return pthread_mutex_trylock(mutex) == 0 ? thrd_success : thrd_busy;
}

int mtx_timedlock(pthread_mutex_t *mutex, const void *time) {
    int error = pthread_mutex_timedlock(mutex, time);
    return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

int mtx_unlock(pthread_mutex_t *mutex) {
    return pthread_mutex_unlock(mutex) == 0 ? thrd_success : thrd_error;
}
