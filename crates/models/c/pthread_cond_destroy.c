/* The end of a condition variable.
 *
 * POSIX: it may be destroyed when no thread is blocked on it, also if threads that were woken have not left yet: as in
 * glibc the last step waits for them, so that its memory can be freed. To destroy one that a thread waits on, or to use
 * one that was destroyed, is undefined: "locks" reports it, else the call waits for ever, also as in glibc.
 * A file of its own: in a program that destroys none, misuse needs no set of those who wait (pthread_cond.c).
 * left out: nothing.
 *
 * accesses: hidden
 */
#include "pthread_types.h"

int __raddle_conds_end(void) { return 1; }

int pthread_cond_destroy(pthread_cond_t *cond) {
    must_exist(&cond->destroyed);
    if (!__raddle_checking(LOCKS) && !__raddle_checking(DEADLOCKS))
        return 0;
    __raddle_atomic_begin();
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, cond->destroyed == 0,
                       "the condition variable is destroyed already, or was never initialised");
    _Bool inside = 0, asleep = 0;
    for (int byte = 0; byte < 8; byte++) {
        inside |= cond->waiting[byte] != 0;
        asleep |= (cond->waiting[byte] & ~cond->woken[byte]) != 0;
    }
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, !asleep, "a condition variable is destroyed while a thread waits on it");
    __raddle_block(!inside);
    if (__raddle_checking(LOCKS))
        cond->destroyed = 1;
    __raddle_atomic_end();
    return 0;
}

void cnd_destroy(pthread_cond_t *cond) { pthread_cond_destroy(cond); }
