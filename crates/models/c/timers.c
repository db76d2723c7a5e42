/* Timers: timer_create and its kin, setitimer.
 *
 * Time passes outside of the program: a timer that is armed expires at any time, or never within the run. One that tells by a
 * thread (SIGEV_THREAD) starts a thread that calls the function of the program, unless it was disarmed or deleted
 * before; one with an interval may then expire again, also while the function still runs. One that tells by a signal
 * sends it from outside: it ends the program, or sigwait takes it (signals.c).
 * left out: that a timer expires before others that were armed for later; overruns that are counted; absolute times; a signal that a
 * blocked mask keeps (signals come at any time); more than 8 timers (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"
#include "pthread_types.h"

enum { TIMERS = 8, SIGEV_SIGNAL = 0, SIGEV_NONE = 1, SIGEV_THREAD = 2 };

typedef struct {
    void *value;
    int signal, how;
    void (*function)(void *);
    void *attributes;
    char rest[sizeof(void *) == 8 ? 32 : 44];
} event;
_Static_assert(sizeof(event) == 64, "size in glibc");

typedef struct {
    long interval[2], first[2];
} times;

/* What a timer calls, and which time it was armed: an expiration of an earlier time is one too late. */
static struct {
    void (*function)(void *);
    void *value;
    unsigned armed;
    _Bool used, repeats;
} timers[TIMERS];

static int made;
static unsigned rounds;

/* The function comes first, so that reports can say what the thread is there for. */
static void *expires(void *function, void *expiration);

static void arm(unsigned long number, unsigned round) {
    void *expiration = (void *)(round * (unsigned long)TIMERS + number);
    pthread_t thread = __raddle_create2(expires, (void *)timers[number].function, expiration);
    pthread_attr_t detached = {.detach_state = 1};
    __raddle_thread_begins(thread, &detached);
    __raddle_last_begins();
}

static void *expires(void *function, void *expiration) {
    unsigned long number = (unsigned long)expiration % TIMERS;
    unsigned round = (unsigned)((unsigned long)expiration / TIMERS);
    void *value = NULL;
    __raddle_atomic_begin();
    _Bool calls = timers[number].armed == round;
    if (calls) {
        value = timers[number].value;
        if (!timers[number].repeats)
            timers[number].armed = 0;
        else if (__raddle_choice(2))
            arm(number, round);
    }
    __raddle_atomic_end();
    if (calls)
        ((void (*)(void *))function)(value);
    __raddle_thread_cleanup();
    return NULL;
}

/* Numbers begin with 1, so that none is null. */
int timer_create(int clock, const event *tells, void **timer) {
    event how = {.how = SIGEV_SIGNAL};
    if (tells)
        how = *tells;
    if (how.how < SIGEV_SIGNAL || how.how > SIGEV_THREAD)
        return fails_with(EINVAL);
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    int number = made;
    if (number == TIMERS)
        __raddle_unsupported("more than 8 timers in a run");
    made = number + 1;
    timers[number].used = 1;
    if (how.how == SIGEV_THREAD) {
        timers[number].function = how.function;
        timers[number].value = how.value;
    }
    __raddle_atomic_end();
    *timer = (void *)(unsigned long)(number + 1);
    return 0;
}

static int is_timer(unsigned long number) { return number >= 1 && number <= TIMERS && timers[number - 1].used; }

/* The same, by itself. */
static int exists(void *timer) {
    __raddle_atomic_begin();
    int known = is_timer((unsigned long)timer);
    __raddle_atomic_end();
    return known;
}

int timer_settime(void *timer, int flags, const times *next, times *old) {
    unsigned long number = (unsigned long)timer;
    times copy = *next;
    __raddle_atomic_begin();
    _Bool known = is_timer(number);
    if (known) {
        _Bool starts = copy.first[0] != 0 || copy.first[1] != 0;
        unsigned round = starts ? rounds + 1 : 0;
        timers[number - 1].armed = round;
        timers[number - 1].repeats = copy.interval[0] != 0 || copy.interval[1] != 0;
        if (starts)
            rounds = round;
        if (starts && timers[number - 1].function)
            arm(number - 1, round);
    }
    __raddle_atomic_end();
    if (!known)
        return fails_with(EINVAL);
    if (old)
        __raddle_fill(old, sizeof *old);
    return 0;
}

int timer_gettime(void *timer, times *now) {
    if (!exists(timer))
        return fails_with(EINVAL);
    __raddle_fill(now, sizeof *now);
    return 0;
}

int timer_getoverrun(void *timer) {
    return exists(timer) ? (int)(__raddle_input_u32() & 0x7fffffff) : fails_with(EINVAL);
}

int timer_delete(void *timer) {
    unsigned long number = (unsigned long)timer;
    __raddle_atomic_begin();
    _Bool known = is_timer(number);
    if (known) {
        timers[number - 1].used = 0;
        timers[number - 1].armed = 0;
    }
    __raddle_atomic_end();
    return known ? 0 : fails_with(EINVAL);
}

/* These tell by a signal only. */
int setitimer(int which, const times *next, times *old) {
    if (which < 0 || which > 2)
        return fails_with(EINVAL);
    if (next)
        __raddle_read_bytes(next, sizeof *next);
    if (old)
        __raddle_fill(old, sizeof *old);
    return 0;
}

int getitimer(int which, times *now) {
    if (which < 0 || which > 2)
        return fails_with(EINVAL);
    __raddle_fill(now, sizeof *now);
    return 0;
}
