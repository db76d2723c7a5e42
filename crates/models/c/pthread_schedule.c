/* Hints to the scheduler: all schedules are considered anyway, so these have no effect.
 *
 * Sleeping takes no time that a program could rely on; it is a point where a thread can be cancelled.
 * left out: sleep that a signal ends early; failures for lack of rights.
 *
 * accesses: hidden
 */
#include "caller.h"

int sched_yield(void) { return 0; }
int pthread_yield(void) { return 0; }
void thrd_yield(void) {}

unsigned sleep(unsigned seconds) {
    __raddle_cancel_point();
    __raddle_signal_point();
    return 0;
}
int usleep(unsigned microseconds) {
    __raddle_cancel_point();
    __raddle_signal_point();
    return 0;
}
/* Nobody can sleep for less than no time. */
static int can_last(const long *time) { return __raddle_time_is_valid(time) && time[0] >= 0; }

int nanosleep(const void *time, void *remaining) {
    __raddle_cancel_point();
    __raddle_signal_point();
    if (can_last(time))
        return 0;
    *__errno_location() = EINVAL;
    return -1;
}
int clock_nanosleep(int clock, int flags, const void *time, void *remaining) {
    __raddle_cancel_point();
    __raddle_signal_point();
    return can_last(time) ? 0 : EINVAL;
}
int thrd_sleep(const void *time, void *remaining) {
    enum { FAILED = -2 }; /* -1 is for signals */
    __raddle_cancel_point();
    __raddle_signal_point();
    return can_last(time) ? 0 : FAILED;
}

int pthread_setconcurrency(int level) { return 0; }
int pthread_setschedprio(pthread_t thread, int priority) { return 0; }
