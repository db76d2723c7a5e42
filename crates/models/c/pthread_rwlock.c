/* Read-write locks.
 *
 * POSIX: any number of readers or one writer. Whether a reader gets in before a waiting writer
 * is not specified: here every order is possible. Locking for writing what the thread itself
 * holds is undefined: here it waits for ever (glibc may answer EDEADLK), and "locks" reports it.
 * A timed lock times out whenever the lock is not free. Simplified: readers are counted, not
 * named, so an unlock by a thread that is not one of the readers is noticed only when there are
 * none.
 * left out: failures for lack of resources; a reader that waits because a writer does, so that a second lock for reading by
 * the same thread would never come (glibc lets it in unless told otherwise); an unlock by a thread that is not one of several readers is not noticed.
 *
 * accesses: hidden
 */
#include "caller.h"

typedef struct {
    int writer;       /* 0 or the writer's number */
    unsigned readers; /* how many read locks are held */
    int destroyed;    /* set by destroy when "locks" is checked */
} pthread_rwlock_t;
_Static_assert(sizeof(pthread_rwlock_t) <= 32, "size in glibc");

static void check_alive(pthread_rwlock_t *lock) {
    must_exist(&lock->destroyed);
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, lock->destroyed == 0, "the lock is used after its destruction");
}

static void check_not_writer(pthread_rwlock_t *lock) {
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, lock->writer != (int)__raddle_self(),
                       "the thread locks a read-write lock that it holds for writing");
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const void *attr) {
    lock->writer = 0;
    lock->readers = 0;
    lock->destroyed = 0;
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    check_alive(lock);
    if (__raddle_checking(LOCKS)) {
        __raddle_atomic_begin();
        __raddle_check(LOCKS, lock->writer == 0 && lock->readers == 0,
                       "a read-write lock is destroyed while a thread holds it");
        lock->destroyed = 1;
        __raddle_atomic_end();
    }
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    check_alive(lock);
    check_not_writer(lock);
    __raddle_atomic_begin();
    __raddle_block(lock->writer == 0);
    lock->readers++;
    __raddle_atomic_end();
    return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    check_alive(lock);
    __raddle_atomic_begin();
    int free = lock->writer == 0;
    if (free)
        lock->readers++;
    __raddle_atomic_end();
    return free ? 0 : EBUSY;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    check_alive(lock);
    check_not_writer(lock);
    __raddle_atomic_begin();
    __raddle_block(lock->writer == 0 && lock->readers == 0);
    lock->writer = (int)__raddle_self();
    __raddle_atomic_end();
    return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    check_alive(lock);
    __raddle_atomic_begin();
    int free = lock->writer == 0 && lock->readers == 0;
    if (free)
        lock->writer = (int)__raddle_self();
    __raddle_atomic_end();
    return free ? 0 : EBUSY;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const void *time) {
    _Bool valid = __raddle_time_is_valid(time);
    return pthread_rwlock_tryrdlock(lock) == 0 ? 0 : valid ? ETIMEDOUT : EINVAL;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const void *time) {
    _Bool valid = __raddle_time_is_valid(time);
    return pthread_rwlock_trywrlock(lock) == 0 ? 0 : valid ? ETIMEDOUT : EINVAL;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, int clock, const void *time) {
    return pthread_rwlock_timedrdlock(lock, time);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, int clock, const void *time) {
    return pthread_rwlock_timedwrlock(lock, time);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    check_alive(lock);
    __raddle_atomic_begin();
    int mine = lock->writer == (int)__raddle_self();
    __raddle_check(LOCKS, mine || (lock->writer == 0 && lock->readers != 0),
                   "the thread unlocks a read-write lock that it does not hold");
    /* An unlock by another thread is undefined; here it takes the lock from whoever holds it. */
    if (lock->writer != 0)
        lock->writer = 0;
    else if (lock->readers != 0)
        lock->readers--;
    __raddle_atomic_end();
    return 0;
}
