/* The end of a semaphore.
 *
 * POSIX leaves undefined to destroy a semaphore that a thread waits for, and to use one that was destroyed: "locks"
 * reports it. Threads that wait are no longer blocked if there is one for each of them.
 * A file of its own: in a program that destroys none nobody counts who waits (semaphore.c).
 * left out: nothing.
 *
 * accesses: hidden
 */
#include "raddle.h"
#include "semaphore.h"

int __raddle_semaphores_end(void) { return 1; }

int sem_destroy(sem_t *semaphore) {
    must_exist(semaphore);
    if (!__raddle_checking(LOCKS))
        return 0;
    __raddle_atomic_begin();
    __raddle_check(LOCKS, semaphore->destroyed == 0, "the semaphore is destroyed already, or was never initialised");
    __raddle_check(LOCKS, semaphore->waiting <= semaphore->value, "a semaphore is destroyed while a thread waits for it");
    semaphore->destroyed = 1;
    __raddle_atomic_end();
    return 0;
}
