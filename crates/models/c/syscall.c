/* syscall: the number of the thread, and futex.
 *
 * FUTEX_WAIT (and WAIT_BITSET) compares the word with the expected value and goes to sleep in one step; the
 * word is read as an atomic access. It returns after a wake that chose this thread, or at any time: futex(2) allows
 * spurious wakeups and EINTR. With a time it may also give ETIMEDOUT. FUTEX_WAKE (and WAKE_BITSET) wakes as many of the
 * threads that sleep on the address as it is told, any of them if there are more.
 *
 * As for condition variables (pthread_cond.c), a wait is either restless, decided beforehand: it ends by itself;
 * or, if we look for deadlocks, it lasts until a wake chooses the thread. A wake may find any of the restless asleep:
 * each may have been interrupted already.
 * left out: other processes; all other operations and numbers, sets of bits, more than 16 threads that sleep at the same time
 * when deadlocks are checked (UNKNOWN).
 *
 * accesses: hidden
 */
#include "any.h"

int gettid(void);

enum { SLEEPERS = 16, WAIT = 0, WAKE = 1, WAIT_BITSET = 9, WAKE_BITSET = 10, OPTIONS = 128 | 256 };

/* Who is in a wait where; a place is free while its address is null. */
static struct {
    const int *address;
    _Bool woken, restless;
} sleepers[SLEEPERS];

static int bed(void) {
    int at = 0;
    while (at < SLEEPERS && sleepers[at].address)
        at++;
    if (at == SLEEPERS)
        __raddle_unsupported("more than 16 threads that sleep in futex");
    return at;
}

/* Where the thread sleeps from then on, or -1 if the word has another value. */
static int falls_asleep(const int *address, int expected, _Bool restless) {
    int at = -1;
    __raddle_atomic_begin();
    if (__atomic_load_n(address, __ATOMIC_SEQ_CST) == expected) {
        at = bed();
        sleepers[at].address = address;
        sleepers[at].woken = 0;
        sleepers[at].restless = restless;
    }
    __raddle_atomic_end();
    return at;
}

static int wait(const int *address, int expected, const void *time) {
    _Bool restless = !__raddle_checking(DEADLOCKS) || __raddle_choice(2);
    int at = falls_asleep(address, expected, restless);
    if (at < 0)
        return fails_with(EAGAIN);
    __raddle_atomic_begin();
    /* With a time it never waits for ever. */
    if (!restless && time)
        __raddle_assume(sleepers[at].woken);
    else if (!restless)
        __raddle_block(sleepers[at].woken);
    sleepers[at].address = NULL;
    __raddle_atomic_end();
    if (!restless)
        return 0;
    unsigned end = __raddle_choice(3);
    if (end == 2 && time)
        return fails_with(ETIMEDOUT);
    return end == 1 ? fails_with(EINTR) : 0;
}

static int wake(const int *address, int most) {
    int asleep = 0, restless = 0, count = 0;
    if (most <= 0)
        return 0;
    __raddle_atomic_begin();
    for (int i = 0; i < SLEEPERS; i++) {
        if (sleepers[i].address == address && sleepers[i].restless)
            restless++;
        else if (sleepers[i].address == address && !sleepers[i].woken)
            asleep++;
    }
    for (int i = 0; i < SLEEPERS && asleep != 0 && count < most; i++) {
        if (sleepers[i].address != address || sleepers[i].woken || sleepers[i].restless)
            continue;
        /* Pass over one if enough are left, and the choice says so. */
        if (asleep > most - count && __raddle_choice(2)) {
            asleep--;
            continue;
        }
        sleepers[i].woken = 1;
        asleep--;
        count++;
    }
    __raddle_atomic_end();
    int more = restless < most - count ? restless : most - count;
    return count + (more > 0 ? (int)any_up_to((size_t)more) : 0);
}

static int futex(const int *address, int operation, int value, const void *time, int bits) {
    switch (operation & ~OPTIONS) {
    case WAIT_BITSET:
        if (bits != -1)
            break;
        /* fall through */
    case WAIT:
        return wait(address, value, time);
    case WAKE_BITSET:
        if (bits != -1)
            break;
        /* fall through */
    case WAKE:
        return wake(address, value);
    }
    __raddle_unsupported("this operation of futex");
}

long syscall(long number, ...) {
    enum { IS_64 = sizeof(void *) == 8, GETTID = IS_64 ? 186 : 224, FUTEX = IS_64 ? 202 : 240 };
    if (number == GETTID)
        return gettid();
    if (number != FUTEX)
        __raddle_unsupported("this number of syscall");
    __builtin_va_list list;
    __builtin_va_start(list, number);
    const int *address = __builtin_va_arg(list, const int *);
    int operation = __builtin_va_arg(list, int), value = __builtin_va_arg(list, int);
    int waits = (operation & ~OPTIONS) == WAIT || (operation & ~OPTIONS) == WAIT_BITSET;
    int with_bits = (operation & ~OPTIONS) == WAIT_BITSET || (operation & ~OPTIONS) == WAKE_BITSET;
    const void *time = waits || with_bits ? __builtin_va_arg(list, const void *) : NULL;
    int bits = -1;
    if (with_bits) {
        (void)__builtin_va_arg(list, const void *);
        bits = __builtin_va_arg(list, int);
    }
    __builtin_va_end(list);
    return futex(address, operation, value, waits ? time : NULL, bits);
}
