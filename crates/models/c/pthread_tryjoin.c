/* Joins that do not wait for ever.
 *
 * A join that gives up answers EBUSY or ETIMEDOUT if the thread has not ended, and joins it if it has.
 * A timed join can always be late, so it never waits.
 * left out: a timed join that gives up although the thread has ended.
 *
 * accesses: visible
 */
#include "caller.h"
#include "pthread_types.h"

int pthread_tryjoin_np(pthread_t thread, void **result) {
    return __raddle_thread_ended(thread) ? pthread_join(thread, result) : EBUSY;
}

/* While it waits nobody else may join the thread. */
int pthread_timedjoin_np(pthread_t thread, void **result, const void *time) {
    __raddle_cancel_point();
    _Bool valid = __raddle_time_is_valid(time);
    if (__raddle_thread_ended(thread))
        return pthread_join(thread, result);
    int error = __raddle_thread_before_join(thread);
    if (error)
        return error;
    __raddle_thread_not_joined(thread);
    return valid ? ETIMEDOUT : EINVAL;
}
int pthread_clockjoin_np(pthread_t thread, void **result, int clock, const void *time) {
    return pthread_timedjoin_np(thread, result, time);
}
