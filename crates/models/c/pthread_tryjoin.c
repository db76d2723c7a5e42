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

static int join_or(int gives_up, pthread_t thread, void **result) {
    return __raddle_thread_ended(thread) ? pthread_join(thread, result) : gives_up;
}

int pthread_tryjoin_np(pthread_t thread, void **result) { return join_or(EBUSY, thread, result); }
int pthread_timedjoin_np(pthread_t thread, void **result, const void *time) {
    __raddle_cancel_point();
    __raddle_read_time(time);
    return join_or(ETIMEDOUT, thread, result);
}
int pthread_clockjoin_np(pthread_t thread, void **result, int clock, const void *time) {
    return pthread_timedjoin_np(thread, result, time);
}
