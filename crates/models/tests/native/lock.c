/* Locks, semaphores, once and keys against the native ones: random sequences of calls of one
 * thread, without those that would wait. Objects come from the real static initialisers. */
#include "driver.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

extern const char *reported;
extern _Bool checking[8];
extern unsigned long self;
enum { LOCKS = 7 };

int model_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int model_pthread_mutex_lock(pthread_mutex_t *), model_pthread_mutex_trylock(pthread_mutex_t *);
int model_pthread_mutex_unlock(pthread_mutex_t *), model_pthread_mutex_destroy(pthread_mutex_t *);
int model_pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int model_pthread_mutexattr_init(pthread_mutexattr_t *);
int model_pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int model_pthread_mutexattr_setrobust(pthread_mutexattr_t *, int);
int model_pthread_mutexattr_getrobust(const pthread_mutexattr_t *, int *);
int model_pthread_mutex_consistent(pthread_mutex_t *);
void __raddle_release_robust(void);
int model_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int model_pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int model_pthread_rwlock_timedwrlock(pthread_rwlock_t *, const struct timespec *);
int model_sem_timedwait(sem_t *, const struct timespec *);
int model_nanosleep(const struct timespec *, struct timespec *);
int model_clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
int model_pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int model_pthread_rwlock_trywrlock(pthread_rwlock_t *);
int model_pthread_rwlock_unlock(pthread_rwlock_t *);
int model_sem_init(sem_t *, int, unsigned), model_sem_trywait(sem_t *), model_sem_post(sem_t *);
int model_sem_getvalue(sem_t *, int *);
int model_pthread_once(pthread_once_t *, void (*)(void));
int model_pthread_key_create(pthread_key_t *, void (*)(void *));
int model_pthread_key_delete(pthread_key_t);
int model_pthread_setspecific(pthread_key_t, const void *);
void *model_pthread_getspecific(pthread_key_t);
void *__raddle_thread_main(void *(*)(void *), void *);
int *model___errno_location(void);

/* Recursive and error-checking mutexes have defined answers to everything. */
static void check_mutex(int kind) {
    pthread_mutex_t native, model;
    pthread_mutexattr_t attr;
    if (below(2)) {
        pthread_mutex_t start[2] = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                    PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};
        native = model = start[kind == PTHREAD_MUTEX_ERRORCHECK];
    } else {
        pthread_mutexattr_init(&attr);
        pthread_mutexattr_settype(&attr, kind);
        pthread_mutex_init(&native, &attr);
        model_pthread_mutexattr_init(&attr);
        EXPECT(model_pthread_mutexattr_settype(&attr, kind) == 0, "kind %d", kind);
        memset(&model, 0x5a, sizeof model);
        model_pthread_mutex_init(&model, &attr);
    }
    struct timespec past = {0, 0};
    for (int i = 0; i < 12; i++) {
        int a, b, which = (int)below(5);
        switch (which) {
        case 0:
            a = pthread_mutex_lock(&native), b = model_pthread_mutex_lock(&model);
            break;
        case 1:
            a = pthread_mutex_trylock(&native), b = model_pthread_mutex_trylock(&model);
            break;
        case 2:
            a = pthread_mutex_timedlock(&native, &past);
            b = model_pthread_mutex_timedlock(&model, &past);
            break;
        default:
            a = pthread_mutex_unlock(&native), b = model_pthread_mutex_unlock(&model);
        }
        EXPECT(a == b, "kind %d, call %d: %d %d", kind, which, a, b);
    }
}

/* The holder of a robust mutex ends: what everybody else is told. */
static void *lock_and_end(void *mutex) {
    pthread_mutex_lock(mutex);
    return NULL;
}

static void check_robust(int kind) {
    pthread_mutex_t native, model;
    pthread_mutexattr_t attr;
    pthread_t holder;
    int robust = 0;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, kind);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&native, &attr);
    model_pthread_mutexattr_init(&attr);
    model_pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    model_pthread_mutexattr_settype(&attr, kind);
    EXPECT(model_pthread_mutexattr_getrobust(&attr, &robust) == 0 && robust, "kind %d", kind);
    memset(&model, 0x5a, sizeof model);
    model_pthread_mutex_init(&model, &attr);
    pthread_create(&holder, NULL, lock_and_end, &native);
    pthread_join(holder, NULL);
    self = 2;
    EXPECT(model_pthread_mutex_lock(&model) == 0, "kind %d", kind);
    __raddle_release_robust();
    self = 1;
    int held = 0;
    for (int i = 0; i < 8; i++) {
        int a, b, which = (int)below(4);
        if (which == 0) {
            a = pthread_mutex_consistent(&native), b = model_pthread_mutex_consistent(&model);
        } else if (which == 1) {
            a = pthread_mutex_unlock(&native), b = model_pthread_mutex_unlock(&model);
            held -= a == 0;
        } else if (!held) {
            a = pthread_mutex_lock(&native), b = model_pthread_mutex_lock(&model);
            held += a == 0 || a == EOWNERDEAD;
        } else {
            continue; /* Own ones again: answers of glibc that POSIX does not know. */
        }
        EXPECT(a == b, "robust kind %d, call %d: %d %d", kind, which, a, b);
    }
    while (held--)
        pthread_mutex_unlock(&native), model_pthread_mutex_unlock(&model);
}

static const char *take_report(void) {
    const char *text = reported;
    reported = 0;
    return text;
}

/* A normal mutex: what "locks" reports, with two threads in turn. */
static void check_misuse(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    checking[LOCKS] = 1;
    self = 1;
    EXPECT(model_pthread_mutex_lock(&m) == 0 && !take_report(), "first lock");
    EXPECT(model_pthread_cond_wait(&c, &m) == 0 && !take_report(), "wait");
    self = 2;
    EXPECT(model_pthread_mutex_trylock(&m) == EBUSY && !take_report(), "trylock");
    EXPECT(model_pthread_mutex_unlock(&m) == 0 && take_report(), "unlock by another thread");
    EXPECT(model_pthread_mutex_unlock(&m) == 0 && take_report(), "unlock of a free mutex");
    EXPECT(model_pthread_mutex_trylock(&m) == 0 && !take_report(), "trylock of a free mutex");
    EXPECT(model_pthread_mutex_destroy(&m) == 0 && take_report(), "destruction of a held mutex");
    model_pthread_mutex_init(&m, 0);
    EXPECT(model_pthread_mutex_destroy(&m) == 0 && !take_report(), "destruction");
    EXPECT(model_pthread_mutex_trylock(&m) == 0 && take_report(), "use after destruction");
    self = 1;
    checking[LOCKS] = 0;
}

static void check_rwlock(void) {
    pthread_rwlock_t native = PTHREAD_RWLOCK_INITIALIZER, model = PTHREAD_RWLOCK_INITIALIZER;
    int held = 0;
    for (int i = 0; i < 12; i++) {
        int a, b, which = (int)below(held ? 3 : 2);
        switch (which) {
        case 0:
            a = pthread_rwlock_tryrdlock(&native), b = model_pthread_rwlock_tryrdlock(&model);
            held += a == 0;
            break;
        case 1:
            a = pthread_rwlock_trywrlock(&native), b = model_pthread_rwlock_trywrlock(&model);
            held += a == 0;
            break;
        default:
            a = pthread_rwlock_unlock(&native), b = model_pthread_rwlock_unlock(&model);
            held--;
        }
        EXPECT(a == b, "read-write lock, call %d: %d %d", which, a, b);
    }
}

static void check_semaphore(void) {
    sem_t native, model;
    unsigned start = below(3);
    sem_init(&native, 0, start);
    memset(&model, 0x5a, sizeof model);
    model_sem_init(&model, 0, start);
    for (int i = 0; i < 12; i++) {
        int a, b, x, y;
        errno = *model___errno_location() = 0;
        if (below(2))
            a = sem_post(&native), b = model_sem_post(&model);
        else
            a = sem_trywait(&native), b = model_sem_trywait(&model);
        EXPECT(a == b && errno == *model___errno_location(), "semaphore: %d %d", a, b);
        sem_getvalue(&native, &x);
        model_sem_getvalue(&model, &y);
        EXPECT(x == y, "value: %d %d", x, y);
    }
}

static int calls;
static void count_call(void) { calls++; }

static pthread_key_t key;
static int destroyed;
/* Sets the value again the first time: the destructor is called once more. */
static void destroy(void *value) {
    EXPECT(model_pthread_getspecific(key) == 0, "value during destruction");
    if (destroyed++ == 0)
        model_pthread_setspecific(key, value);
}
static void *set_key(void *value) {
    model_pthread_setspecific(key, value);
    return model_pthread_getspecific(key);
}

static void check_once_and_keys(void) {
    pthread_once_t once = PTHREAD_ONCE_INIT;
    model_pthread_once(&once, count_call);
    model_pthread_once(&once, count_call);
    EXPECT(calls == 1, "once: %d", calls);
    EXPECT(model_pthread_key_create(&key, destroy) == 0, "key");
    EXPECT(model_pthread_getspecific(key) == 0, "first value");
    EXPECT(__raddle_thread_main(set_key, &calls) == &calls, "value set");
    EXPECT(destroyed == 2 && model_pthread_getspecific(key) == 0, "destroyed %d times", destroyed);
    EXPECT(model_pthread_setspecific(~0u, 0) == EINVAL, "bad key");
    EXPECT(model_pthread_key_delete(key) == 0, "deletion");
}

/* Waits that would have to wait, until a moment that is past or none at all. */
static void check_deadline(long fraction) {
    const struct timespec time = {0, fraction};
    pthread_mutex_t native_mutex = PTHREAD_MUTEX_INITIALIZER, model_mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t native_cond = PTHREAD_COND_INITIALIZER, model_cond = PTHREAD_COND_INITIALIZER;
    pthread_rwlock_t native_lock = PTHREAD_RWLOCK_INITIALIZER, model_lock = PTHREAD_RWLOCK_INITIALIZER;
    sem_t native, model;
    pthread_mutex_lock(&native_mutex), model_pthread_mutex_lock(&model_mutex);
    int a = pthread_mutex_timedlock(&native_mutex, &time);
    int b = model_pthread_mutex_timedlock(&model_mutex, &time);
    EXPECT(a == b, "mutex, %ld: %d %d", fraction, a, b);
    a = pthread_cond_timedwait(&native_cond, &native_mutex, &time);
    b = model_pthread_cond_timedwait(&model_cond, &model_mutex, &time);
    EXPECT(a == b || (a == ETIMEDOUT && b == 0), "condition variable, %ld: %d %d", fraction, a, b);
    pthread_rwlock_tryrdlock(&native_lock), model_pthread_rwlock_tryrdlock(&model_lock);
    a = pthread_rwlock_timedwrlock(&native_lock, &time), b = model_pthread_rwlock_timedwrlock(&model_lock, &time);
    EXPECT(a == b, "lock for writing, %ld: %d %d", fraction, a, b);
    sem_init(&native, 0, 0), model_sem_init(&model, 0, 0);
    a = sem_timedwait(&native, &time) == 0 ? 0 : errno;
    b = model_sem_timedwait(&model, &time) == 0 ? 0 : *model___errno_location();
    EXPECT(a == b, "semaphore, %ld: %d %d", fraction, a, b);
    a = nanosleep(&time, NULL) == 0 ? 0 : errno;
    b = model_nanosleep(&time, NULL) == 0 ? 0 : *model___errno_location();
    EXPECT(a == b, "sleep, %ld: %d %d", fraction, a, b);
    a = clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL), b = model_clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    EXPECT(a == b, "sleep by a clock, %ld: %d %d", fraction, a, b);
}

int main(void) {
    const long fractions[] = {0, 1, 999999999, 1000000000, 2000000000, -1};
    for (unsigned i = 0; i < 2 * sizeof fractions / sizeof *fractions; i++)
        check_deadline(fractions[i / 2]);
    for (int i = 0; i < 4000; i++) {
        check_mutex(PTHREAD_MUTEX_RECURSIVE);
        check_mutex(PTHREAD_MUTEX_ERRORCHECK);
        check_rwlock();
        check_semaphore();
    }
    for (int i = 0; i < 300; i++) {
        check_robust(PTHREAD_MUTEX_RECURSIVE);
        check_robust(PTHREAD_MUTEX_ERRORCHECK);
        check_robust(PTHREAD_MUTEX_NORMAL);
    }
    check_misuse();
    check_once_and_keys();
    return finish();
}
