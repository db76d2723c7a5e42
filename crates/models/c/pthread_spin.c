/* Spin locks: a mutex without kinds.
 *
 * POSIX leaves undefined: locking twice (here it waits for ever, and "locks" reports it),
 * unlocking one that another thread holds ("locks" reports it; else it is free afterwards), using one that was
 * destroyed ("locks" reports it).
 * left out: sharing between processes; that one was never initialised, if it is zero.
 *
 * accesses: hidden
 */
#include "raddle.h"

/* Not the number of a thread. */
enum { DESTROYED = -1 };

static void check_alive(int *lock) {
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, __raddle_holder(lock) != DESTROYED,
                       "the spin lock is used before its initialisation or after its destruction");
}

int pthread_spin_init(int *lock, int shared) {
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(int *lock) {
    must_exist(lock);
    check_alive(lock);
    if (__raddle_checking(LOCKS)) {
        __raddle_check(LOCKS, *lock == 0, "a spin lock is destroyed while a thread holds it");
        *lock = DESTROYED;
    }
    return 0;
}

int pthread_spin_lock(int *lock) {
    check_alive(lock);
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, __raddle_holder(lock) != (int)__raddle_self(),
                       "the thread locks a spin lock that it holds already");
    __raddle_lock(lock);
    return 0;
}

int pthread_spin_trylock(int *lock) {
    check_alive(lock);
    return __raddle_trylock(lock) ? 0 : EBUSY;
}

int pthread_spin_unlock(int *lock) {
    check_alive(lock);
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, __raddle_holder(lock) == (int)__raddle_self(),
                       "the thread unlocks a spin lock that it does not hold");
    __raddle_unlock(lock);
    return 0;
}
