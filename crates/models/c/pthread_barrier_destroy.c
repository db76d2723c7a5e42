/* The end of a barrier.
 *
 * POSIX leaves undefined to destroy a barrier that a thread waits at ("locks" reports it), but once a round is complete
 * nobody waits any more, though not all may have left: as in glibc the last step waits for them, so that the memory of
 * the barrier can be freed.
 * A file of its own: in a program that destroys none nobody counts who has left.
 * left out: nothing.
 *
 * accesses: hidden
 */
#include "pthread_types.h"

int __raddle_barriers_end(void) { return 1; }

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    must_exist(&barrier->count);
    __raddle_atomic_begin();
    if (__raddle_checking(LOCKS)) {
        __raddle_check(LOCKS, barrier->count != 0, "the barrier is destroyed already, or was never initialised");
        __raddle_check(LOCKS, barrier->arrived == 0, "a barrier is destroyed while a thread waits");
    }
    __raddle_block(barrier->leaving == 0);
    if (__raddle_checking(LOCKS))
        barrier->count = 0;
    __raddle_atomic_end();
    return 0;
}
