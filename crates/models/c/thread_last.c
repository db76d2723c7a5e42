/* The end of the last thread.
 *
 * POSIX (pthread_exit) and C 7.26.5.5: when the last thread has ended the program ends, as by exit(0). So functions of
 * atexit run, and leaks are looked for, also if main has ended by pthread_exit. Lowering asks for this only where both
 * can be seen (LAST in crates/frontend/src/lower/hooks.rs).
 * The last thread calls exit before it ends, not after: its local variables exist for a little longer.
 * left out: nothing.
 *
 * accesses: hidden
 */
#include "pthread_types.h"

void exit(int status) __attribute__((noreturn));

/* Threads that have not come to their end. */
static unsigned alive = 1;

void __raddle_last_begins(void) { alive++; }

void __raddle_last_ends(void) {
    __raddle_atomic_begin();
    _Bool last = --alive == 0;
    __raddle_atomic_end();
    if (last)
        exit(0);
}
