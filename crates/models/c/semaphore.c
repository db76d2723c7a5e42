/* Unnamed semaphores of semaphore.h.
 *
 * sem_wait waits until the value is positive and takes one; interruptions by signals do not
 * happen. A timed wait times out whenever the value is 0.
 * left out: interruptions by signals; sharing between processes.
 *
 * accesses: hidden
 */
#include "caller.h"

typedef struct {
    unsigned value;
} sem_t;

#define SEM_VALUE_MAX 0x7fffffffu

static int fail(int error) {
    *__errno_location() = error;
    return -1;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
    if (value > SEM_VALUE_MAX)
        return fail(EINVAL);
    semaphore->value = value;
    return 0;
}

int sem_destroy(sem_t *semaphore) {
    must_exist(semaphore);
    return 0;
}

int sem_wait(sem_t *semaphore) {
    __raddle_cancel_point();
    __raddle_atomic_begin();
    unsigned value = semaphore->value;
    __raddle_block(value != 0 || __raddle_cancel_pending());
    if (value != 0)
        semaphore->value = value - 1;
    __raddle_atomic_end();
    if (value == 0)
        __raddle_cancel_point();
    return 0;
}

static int take(sem_t *semaphore) {
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
