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
    return 0;
}
int usleep(unsigned microseconds) {
    __raddle_cancel_point();
    return 0;
}
int nanosleep(const void *time, void *remaining) {
    __raddle_cancel_point();
    __raddle_read_time(time);
    return 0;
}
int clock_nanosleep(int clock, int flags, const void *time, void *remaining) {
    __raddle_cancel_point();
    __raddle_read_time(time);
    return 0;
}
int thrd_sleep(const void *time, void *remaining) { return nanosleep(time, remaining); }

int pthread_setconcurrency(int level) { return 0; }
int pthread_setschedprio(pthread_t thread, int priority) { return 0; }
