/* Unnamed semaphores of semaphore.h.
 *
 * sem_wait waits until the value is positive and takes one; interruptions by signals do not
 * happen. A timed wait times out whenever the value is 0.
 * Where semaphores are destroyed (semaphore_destroy.c), "locks" counts those who have to wait.
 * left out: interruptions by signals (without handlers there are none); sharing between processes.
 *
 * accesses: hidden
 */
#include "caller.h"
#include "semaphore.h"

#define SEM_VALUE_MAX 0x7fffffffu

static int fail(int error) {
    *__errno_location() = error;
    return -1;
}

/* Whether anybody wants to know who waits. */
static _Bool looks(void) { return __raddle_checking(LOCKS) && __raddle_semaphores_end(); }

static void check_alive(sem_t *semaphore) {
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, semaphore->destroyed == 0,
                       "the semaphore is used before its initialisation or after its destruction");
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
    if (value > SEM_VALUE_MAX)
        return fail(EINVAL);
    semaphore->value = value;
    if (__raddle_checking(LOCKS))
        semaphore->destroyed = 0;
    if (looks())
        semaphore->waiting = 0;
    return 0;
}

/* One who finds nothing there waits. */
static _Bool note_wait(sem_t *semaphore) {
    __raddle_atomic_begin();
    _Bool waits = semaphore->value == 0;
    if (waits)
        semaphore->waiting++;
    __raddle_atomic_end();
    return waits;
}

int sem_wait(sem_t *semaphore) {
    check_alive(semaphore);
    __raddle_cancel_point();
    __raddle_signal_point();
    _Bool noted = looks() && note_wait(semaphore);
    __raddle_atomic_begin();
    unsigned value = semaphore->value;
    __raddle_block(value != 0 || __raddle_cancel_pending());
    if (value != 0)
        semaphore->value = value - 1;
    if (noted)
        semaphore->waiting--;
    __raddle_atomic_end();
    if (value == 0)
        __raddle_cancel_point();
    return 0;
}

static int take(sem_t *semaphore) {
    check_alive(semaphore);
    __raddle_atomic_begin();
    unsigned value = semaphore->value;
    if (value != 0)
        semaphore->value = value - 1;
    __raddle_atomic_end();
    return value != 0;
}

int sem_trywait(sem_t *semaphore) { return take(semaphore) ? 0 : fail(EAGAIN); }

int sem_timedwait(sem_t *semaphore, const void *time) {
    __raddle_cancel_point();
    _Bool valid = __raddle_time_is_valid(time);
    return take(semaphore) ? 0 : fail(valid ? ETIMEDOUT : EINVAL);
}

int sem_clockwait(sem_t *semaphore, int clock, const void *time) {
    return sem_timedwait(semaphore, time);
}

int sem_post(sem_t *semaphore) {
    check_alive(semaphore);
    __raddle_atomic_begin();
    unsigned value = semaphore->value;
    if (value != SEM_VALUE_MAX)
        semaphore->value = value + 1;
    __raddle_atomic_end();
    return value != SEM_VALUE_MAX ? 0 : fail(EOVERFLOW);
}

int sem_getvalue(sem_t *semaphore, int *value) {
    __raddle_give(value, (int)semaphore->value);
    return 0;
}
