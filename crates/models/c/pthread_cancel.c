/* Cancellation.
 *
 * POSIX: a request stays pending until the thread, if it has not switched cancellation off,
 * comes to a cancellation point or waits in one; then it runs its cleanup handlers and destructors
 * and ends with PTHREAD_CANCELED. Cancellation points are those functions that POSIX says must be
 * some (they call __raddle_cancel_point). A thread that is cancelled while it waits does not take what it has
 * waited for; if both come together either may happen.
 * left out: functions that POSIX allows, but does not require, to be cancellation points (printf,
 * pthread_rwlock_rdlock, …) are none; asynchronous cancellation is not modelled (UNKNOWN where a
 * thread asks for it); requests to a thread that has ended and was not joined do nothing.
 *
 * accesses: hidden
 */
#include "pthread_types.h"

#define CANCELED ((void *)-1)

enum { ENABLE, DISABLE, DEFERRED = 0, ASYNCHRONOUS };

static _Bool requested[THREADS];
static _Thread_local int state = ENABLE;

int pthread_cancel(pthread_t thread) {
    int error = __raddle_thread_before_cancel(thread);
    if (!error)
        __atomic_store_n(&requested[thread], 1, __ATOMIC_SEQ_CST);
    return error;
}

int __raddle_may_cancel(void) { return 1; }

int __raddle_cancel_pending(void) {
    return state == ENABLE && __atomic_load_n(&requested[__raddle_self()], __ATOMIC_SEQ_CST);
}

void __raddle_cancel_point(void) {
    if (!__raddle_cancel_pending())
        return;
    state = DISABLE;
    pthread_exit(CANCELED);
}

void pthread_testcancel(void) { __raddle_cancel_point(); }

int pthread_setcancelstate(int next, int *old) {
    if (next != ENABLE && next != DISABLE)
        return EINVAL;
    if (old)
        *old = state;
    state = next;
    return 0;
}

int pthread_setcanceltype(int next, int *old) {
    if (next == ASYNCHRONOUS)
        __raddle_unsupported("asynchronous cancellation");
    if (next != DEFERRED)
        return EINVAL;
    if (old)
        *old = DEFERRED;
    return 0;
}
