/* Condition variables.
 *
 * POSIX: a wait releases the mutex and blocks in one step, and holds the mutex again when it
 * returns. It returns after a signal that chose this thread, after a broadcast, or spuriously at
 * any time. A timed wait may also return with ETIMEDOUT. A signal wakes at least one waiting
 * thread if there is one.
 *
 * Because of the spurious wakeups, waiting is no more than releasing and re-acquiring the mutex,
 * and signals have no effect, unless we look for deadlocks. There it matters whether a thread is
 * really woken: every wait is either a spurious one, decided beforehand, or one that puts the
 * thread into the set `waiting` and lasts until a signal moves it to `woken`. Nothing is lost by
 * deciding beforehand: a thread that in the end returns spuriously has consumed no signal, and a
 * thread that a signal chose does not return spuriously. A thread in a spurious wait can always
 * go on, so only real waits make deadlocks. A timed wait can consume a signal, but it never
 * waits for ever: hence an assumption instead of a block.
 *
 * Where condition variables are destroyed (pthread_cond_destroy.c), "locks" needs to know who waits, too: there every
 * wait is in the set and may end at any time, so that nobody blocks and nothing has to be decided beforehand.
 *
 * A cancelled thread holds the mutex again before its handlers run, and takes no signal.
 *
 * Simplified: at most 64 threads when there are sets; the mutex of a wait should be of a
 * kind other than recursive or held once (if it is held more often, it stays locked, as in
 * glibc).
 * left out: more than 64 threads when there are sets (UNKNOWN); waits of several threads with different mutexes; robust mutexes (UNKNOWN).
 *
 * accesses: hidden
 */
#include "caller.h"
#include "pthread_types.h"

enum { BYTES = 8 };

/* The byte and the bit of the running thread. */
static unsigned place_of_self(void) {
    unsigned long place = __raddle_place() - 1;
    if (place >= 8 * BYTES)
        __raddle_unsupported("condition variables with more than 64 threads");
    return place;
}

/* Threads that wait and that no signal has chosen. */
static unsigned char asleep(pthread_cond_t *cond, int byte) {
    return cond->waiting[byte] & ~cond->woken[byte];
}

static int some_asleep_from(pthread_cond_t *cond, int byte) {
    for (; byte < BYTES; byte++)
        if (asleep(cond, byte) != 0)
            return 1;
    return 0;
}

static void check_held(pthread_mutex_t *mutex) {
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, __raddle_holder(&mutex->word) == (int)__raddle_self(),
                       "the thread waits with a mutex that it does not hold");
}

static int stays_locked(pthread_mutex_t *mutex) {
    if (__raddle_may_be_robust() && mutex->kind & ROBUST)
        __raddle_unsupported("a condition variable with a robust mutex");
    return mutex->kind == MUTEX_RECURSIVE && mutex->count != 0;
}

static void check_alive(pthread_cond_t *cond) {
    must_exist(&cond->destroyed);
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, cond->destroyed == 0,
                       "the condition variable is used before its initialisation or after its destruction");
}

/* Whether it is noted who waits. */
static _Bool has_sets(void) {
    return __raddle_checking(DEADLOCKS) || (__raddle_checking(LOCKS) && __raddle_conds_end());
}

/* Also a wait that times out: one that no signal has ended. */
static void wait_spuriously(pthread_mutex_t *mutex) {
    if (stays_locked(mutex))
        return;
    __raddle_wait_unlock(&mutex->word);
    /* Not after the lock: a request that comes later finds the thread at its next cancellation point,
     * and a thread that has looked at nothing since it holds the mutex is one that has just come. */
    _Bool cancelled = __raddle_cancel_pending();
    __raddle_wait_lock(&mutex->word);
    if (cancelled)
        __raddle_cancel_point();
}

/* A wait that a signal ends, or where only misuse is looked for, anything. */
static void wait_for_signal(pthread_cond_t *cond, pthread_mutex_t *mutex, int timed) {
    __raddle_atomic_begin();
    unsigned place = place_of_self(), byte = place / 8, bit = 1 << place % 8;
    __raddle_store_set(&cond->waiting[byte], cond->waiting[byte] | bit);
    if (!stays_locked(mutex))
        __raddle_wait_unlock(&mutex->word);
    __raddle_atomic_end();

    __raddle_atomic_begin();
    place = place_of_self(), byte = place / 8, bit = 1 << place % 8;
    _Bool chosen = (cond->woken[byte] & bit) != 0;
    if (__raddle_checking(DEADLOCKS)) {
        if (timed)
            __raddle_assume(chosen);
        else
            __raddle_block(chosen || __raddle_cancel_pending());
    }
    __raddle_store_set(&cond->waiting[byte], cond->waiting[byte] & ~bit);
    cond->woken[byte] &= ~bit;
    __raddle_atomic_end();

    if (!stays_locked(mutex))
        __raddle_wait_lock(&mutex->word);
    if (!chosen)
        __raddle_cancel_point();
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    check_held(mutex);
    check_alive(cond);
    __raddle_cancel_point();
    __raddle_signal_point();
    if (!has_sets() || (__raddle_checking(DEADLOCKS) && __raddle_choice(2)))
        wait_spuriously(mutex);
    else
        wait_for_signal(cond, mutex, 0);
    return 0;
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const void *time) {
    _Bool valid = __raddle_time_is_valid(time);
    check_held(mutex);
    check_alive(cond);
    __raddle_cancel_point();
    /* Without a moment in which the mutex is free. */
    if (!valid)
        return EINVAL;
    if (__raddle_checking(DEADLOCKS) && __raddle_choice(2)) {
        wait_for_signal(cond, mutex, 1);
        return 0;
    }
    if (has_sets() && !__raddle_checking(DEADLOCKS))
        wait_for_signal(cond, mutex, 1);
    else
        wait_spuriously(mutex);
    return __raddle_choice(2) ? ETIMEDOUT : 0;
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, int clock,
                           const void *time) {
    return pthread_cond_timedwait(cond, mutex, time);
}

int pthread_cond_signal(pthread_cond_t *cond) {
    check_alive(cond);
    if (!has_sets())
        return 0;
    __raddle_atomic_begin();
    for (int byte = 0; byte < BYTES; byte++) {
        unsigned char candidates = asleep(cond, byte);
        /* Pass over candidates as long as another one remains and the choice says so. */
        while ((candidates & (candidates - 1)) != 0 && __raddle_choice(2))
            candidates &= candidates - 1;
        if (candidates == 0 || (some_asleep_from(cond, byte + 1) && __raddle_choice(2)))
            continue;
        cond->woken[byte] |= candidates & -candidates;
        break;
    }
    __raddle_atomic_end();
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond) {
    check_alive(cond);
    if (!has_sets())
        return 0;
    __raddle_atomic_begin();
    /* Who is woken waits: where nobody waits there is nothing to write. */
    for (int byte = 0; byte < BYTES; byte++)
        if (cond->waiting[byte] != 0)
            cond->woken[byte] = cond->waiting[byte];
    __raddle_atomic_end();
    return 0;
}

int pthread_cond_init(pthread_cond_t *cond, const void *attr) {
    must_exist(&cond->destroyed);
    if (__raddle_checking(LOCKS))
        cond->destroyed = 0;
    if (has_sets()) {
        for (int byte = 0; byte < BYTES; byte++)
            cond->waiting[byte] = cond->woken[byte] = 0;
    }
    return 0;
}
