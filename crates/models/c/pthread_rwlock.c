/* Read-write locks.
 *
 * POSIX: any number of readers or one writer. Whether a reader gets in before a waiting writer
 * is not specified: here every order is possible. Locking for writing what the thread itself
 * holds is undefined: here it waits for ever (glibc may answer EDEADLK), and "locks" reports it.
 * A lock that prefers writers (pthread_rwlockattr_setkind_np) lets no reader in while a writer waits: a thread that
 * locks for reading what it holds for reading may wait for that writer, and the writer for it.
 * A timed lock times out whenever the lock is not free.
 * For "locks" there is a set of the threads that read, so that an unlock by another one is found; of a thread that
 * holds several locks for reading one does not know how many, so it stays in the set until nobody reads. Threads whose
 * numbers are too large for the set are not looked at.
 * left out: failures for lack of resources; without that attribute, a reader that waits because a writer does (glibc lets
 * it in); an unlock too many by a thread that had several locks for reading while others still have some.
 *
 * accesses: hidden
 */
#include "caller.h"

enum { BYTES = sizeof(void *) };

/* The last field lies where static initialisers of glibc have it. */
typedef struct {
    int writer;                   /* 0 or the writer's number */
    unsigned readers;             /* how many read locks are held */
    unsigned short writers_wait;  /* how many writers wait, if they are preferred */
    _Bool destroyed;              /* set by destroy when "locks" is checked */
    unsigned char reading[BYTES]; /* a bit for each thread that reads */
    unsigned char again[BYTES];   /* those of them that have had more than one lock since nobody read */
#ifdef __x86_64__
    unsigned char unused[20];
    int kind;
#else
    unsigned char unused[5];
    unsigned char kind;
#endif
} pthread_rwlock_t;
_Static_assert(sizeof(pthread_rwlock_t) <= (sizeof(void *) == 8 ? 56 : 32), "size in glibc");
_Static_assert(__builtin_offsetof(pthread_rwlock_t, kind) == (sizeof(void *) == 8 ? 48 : 24), "place in glibc");

enum { PREFER_WRITER_NONRECURSIVE = 2 };

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

/* The place of a thread in the sets, or one behind them. */
static unsigned place_of_self(void) {
    unsigned long number = __raddle_self();
    return number < 8 * BYTES ? number : 8 * BYTES;
}

/* In the section that takes a lock for reading. */
static void note_reader(pthread_rwlock_t *lock) {
    unsigned place = place_of_self(), byte = place / 8;
    if (place == 8 * BYTES)
        return;
    unsigned char bit = 1 << place % 8;
    if (lock->reading[byte] & bit)
        lock->again[byte] |= bit;
    else
        lock->reading[byte] |= bit;
}

static _Bool is_reader(pthread_rwlock_t *lock) {
    unsigned place = place_of_self();
    return place == 8 * BYTES || lock->reading[place / 8] >> place % 8 & 1;
}

static void forget_reader(pthread_rwlock_t *lock) {
    unsigned place = place_of_self(), byte = place / 8;
    if (lock->readers == 0)
        for (int i = 0; i < BYTES; i++)
            lock->reading[i] = lock->again[i] = 0;
    else if (place != 8 * BYTES && !(lock->again[byte] >> place % 8 & 1))
        lock->reading[byte] &= ~(1 << place % 8);
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const int *attr) {
    lock->writer = 0;
    lock->readers = 0;
    lock->writers_wait = 0;
    lock->destroyed = 0;
    lock->kind = attr ? attr[0] : 0;
    if (__raddle_checking(LOCKS))
        for (int i = 0; i < BYTES; i++)
            lock->reading[i] = lock->again[i] = 0;
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

/* Inside an atomic section. */
static _Bool may_read(pthread_rwlock_t *lock) {
    return lock->writer == 0 && (lock->kind != PREFER_WRITER_NONRECURSIVE || lock->writers_wait == 0);
}

static void start_reading(pthread_rwlock_t *lock) {
    lock->readers++;
    if (__raddle_checking(LOCKS))
        note_reader(lock);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    check_alive(lock);
    check_not_writer(lock);
    __raddle_atomic_begin();
    __raddle_block(may_read(lock));
    start_reading(lock);
    __raddle_atomic_end();
    return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    check_alive(lock);
    __raddle_atomic_begin();
    int free = may_read(lock);
    if (free)
        start_reading(lock);
    __raddle_atomic_end();
    return free ? 0 : EBUSY;
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

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    check_alive(lock);
    check_not_writer(lock);
    _Bool preferred = lock->kind == PREFER_WRITER_NONRECURSIVE;
    if (preferred) {
        __raddle_atomic_begin();
        lock->writers_wait++;
        __raddle_atomic_end();
    }
    __raddle_atomic_begin();
    __raddle_block(lock->writer == 0 && lock->readers == 0);
    lock->writer = (int)__raddle_self();
    if (preferred)
        lock->writers_wait--;
    __raddle_atomic_end();
    return 0;
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
    if (__raddle_checking(LOCKS))
        __raddle_check(LOCKS, mine || (lock->writer == 0 && lock->readers != 0 && is_reader(lock)),
                       "the thread unlocks a read-write lock that it does not hold");
    /* An unlock by another thread is undefined; here it takes the lock from whoever holds it. */
    if (lock->writer != 0) {
        lock->writer = 0;
    } else if (lock->readers != 0) {
        lock->readers--;
        if (__raddle_checking(LOCKS))
            forget_reader(lock);
    }
    __raddle_atomic_end();
    return 0;
}
