/* Barriers.
 *
 * POSIX: the wait of `count` threads ends when the last of them has come; one of them, no matter
 * which, gets PTHREAD_BARRIER_SERIAL_THREAD. Here it is the one that came last: as a thread does
 * nothing between its arrival and its release, nothing can tell in which order they came. A
 * barrier can be used again at once: rounds keep the late leavers of one from the early comers
 * of the next. It can also be destroyed at once: destroying it waits until the others have left, in
 * programs that do so (pthread_barrier_destroy.c).
 * left out: sharing between processes; a serial thread other than the last that came (no one can tell).
 *
 * accesses: hidden
 */
#include "pthread_types.h"

#define PTHREAD_BARRIER_SERIAL_THREAD (-1)

int pthread_barrier_init(pthread_barrier_t *barrier, const void *attr, unsigned count) {
    if (count == 0)
        return EINVAL;
    barrier->count = count;
    barrier->arrived = 0;
    barrier->round = 0;
    if (__raddle_barriers_end())
        barrier->leaving = 0;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
    __raddle_atomic_begin();
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, barrier->count != 0,
                       "the barrier is used before its initialisation or after its destruction");
    unsigned round = barrier->round;
    int last = ++barrier->arrived == barrier->count;
    if (last) {
        barrier->arrived = 0;
        barrier->round = round + 1;
        if (__raddle_barriers_end())
            barrier->leaving += barrier->count - 1;
    }
    __raddle_atomic_end();
    if (last)
        return PTHREAD_BARRIER_SERIAL_THREAD;
    __raddle_atomic_begin();
    __raddle_block(barrier->round != round);
    if (__raddle_barriers_end())
        barrier->leaving--;
    __raddle_atomic_end();
    return 0;
}
