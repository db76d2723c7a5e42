/* Mutexes of all kinds.
 *
 * POSIX leaves undefined, and the property "locks" reports: unlocking a normal mutex that
 * another thread or nobody holds (else: it is free afterwards, as in glibc), destroying one that
 * is held, using one that was destroyed or never initialised (found when its kind is no kind).
 * Locking a normal mutex twice waits for ever: a deadlock, and reported as misuse, too.
 * Recursive and error-checking mutexes answer misuse by an error code, which is no violation.
 * Simplified: a timed lock may time out whenever it is not free; protocols and sharing between
 * processes have no effect. Robust mutexes have a bit of their own in their kind (pthread_robust.c).
 *
 * The lock word alone says who holds the mutex: only the thread itself can write its own number,
 * so a thread that reads its number there holds the mutex whatever the others do meanwhile.
 * left out: priorities, sharing between processes; a timed lock that gives up on a free mutex.
 *
 * accesses: hidden
 */
#include "caller.h"
#include "pthread_types.h"

static int is_mine(pthread_mutex_t *mutex) { return __raddle_holder(&mutex->word) == (int)__raddle_self(); }

static int is_robust(int kind) { return __raddle_may_be_robust() && kind & ROBUST; }

/* The kind apart from robustness. */
static int plain(int kind) { return __raddle_may_be_robust() ? kind & ~ROBUST : kind; }

static int is_kind(int kind, int which) { return plain(kind) == which; }

static void check_kind(int kind) {
    kind = plain(kind);
    __raddle_check(LOCKS, kind >= MUTEX_NORMAL && kind <= MUTEX_ADAPTIVE,
                   "the mutex is used before its initialisation or after its destruction");
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr) {
    mutex->kind = attr ? attr->kind & KIND_MASK : MUTEX_NORMAL;
    mutex->word = 0;
    mutex->count = 0;
    if (is_robust(mutex->kind))
        mutex->state = 0;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    must_exist(&mutex->kind);
    if (__raddle_checking(LOCKS)) {
        check_kind(mutex->kind);
        __raddle_check(LOCKS, mutex->word == 0, "a mutex is destroyed while a thread holds it");
        mutex->kind = MUTEX_DESTROYED;
    }
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    int kind = mutex->kind;
    if (kind != MUTEX_NORMAL) {
        if (is_kind(kind, MUTEX_RECURSIVE) && is_mine(mutex)) {
            mutex->count++;
            return 0;
        }
        if (is_kind(kind, MUTEX_ERRORCHECK) && is_mine(mutex))
            return EDEADLK;
        check_kind(kind);
    }
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, !is_mine(mutex), "the thread locks a mutex that it holds already");
    __raddle_lock(&mutex->word);
    return is_robust(kind) ? __raddle_robust_taken(mutex) : 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    int kind = mutex->kind;
    if (is_kind(kind, MUTEX_RECURSIVE) && is_mine(mutex)) {
        mutex->count++;
        return 0;
    }
    check_kind(kind);
    if (!__raddle_trylock(&mutex->word))
        return EBUSY;
    return is_robust(kind) ? __raddle_robust_taken(mutex) : 0;
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const void *time) {
    _Bool valid = __raddle_time_is_valid(time);
    if (is_kind(mutex->kind, MUTEX_ERRORCHECK) && is_mine(mutex))
        return EDEADLK;
    int error = pthread_mutex_trylock(mutex);
    if (error != EBUSY)
        return error;
    return valid ? ETIMEDOUT : EINVAL;
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, int clock, const void *time) {
    return pthread_mutex_timedlock(mutex, time);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    int kind = mutex->kind;
    if (kind != MUTEX_NORMAL) {
        _Bool tells = is_kind(kind, MUTEX_RECURSIVE) || is_kind(kind, MUTEX_ERRORCHECK);
        if ((tells || is_robust(kind)) && !is_mine(mutex))
            return EPERM;
        if (is_kind(kind, MUTEX_RECURSIVE) && mutex->count) {
            mutex->count--;
            return 0;
        }
        check_kind(kind);
    }
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, is_mine(mutex), "the thread unlocks a mutex that it does not hold");
    if (is_robust(kind))
        __raddle_robust_released(mutex);
    __raddle_unlock(&mutex->word);
    return 0;
}
