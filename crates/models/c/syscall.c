/* syscall: the number of the thread, and futex.
 *
 * FUTEX_WAIT (and WAIT_BITSET) compares the word with the expected value and goes to sleep in one step; the
 * word is read as an atomic access. It returns after a wake that chose this thread, or at any time: futex(2) allows
 * spurious wakeups and EINTR. With a time it may also give ETIMEDOUT. FUTEX_WAKE (and WAKE_BITSET) wakes as many of the
 * threads that sleep on the address as it is told, any of them if there are more.
 *
 * Every wait is either one that no wake counts, decided beforehand, or one that puts the thread into a bed and
 * lasts until a wake chooses it. Nothing is lost by deciding beforehand: a thread that returns early, or after its time,
 * is no more than the comparison, since it could have returned at once; one that a wake chose does
 * not return early. So a wake gives exactly the number of those whom it chose. A thread in the first kind of wait can always go
 * on, so only the second kind makes deadlocks; with a time it never waits for ever: hence an assumption instead of a block.
 * left out: other processes; all other operations and numbers, sets of bits, more than 16 threads that sleep at the same time
 * when deadlocks are checked (UNKNOWN).
 *
 * accesses: hidden
 */
#include "any.h"

int gettid(void);

enum { SLEEPERS = 16, WAIT = 0, WAKE = 1, WAIT_BITSET = 9, WAKE_BITSET = 10, OPTIONS = 128 | 256 };

/* Who sleeps where; a place is free while its address is null. */
static struct {
    const int *address;
    _Bool woken;
} sleepers[SLEEPERS];

static int bed(void) {
    int at = 0;
    while (at < SLEEPERS && sleepers[at].address)
        at++;
    if (at == SLEEPERS)
        __raddle_unsupported("more than 16 threads that sleep in futex");
    return at;
}

/* Whether the word still has the value; if so and it is wanted, the thread is in a bed from then on. */
static int falls_asleep(const int *address, int expected, int *at) {
    __raddle_atomic_begin();
    _Bool sleeps = __atomic_load_n(address, __ATOMIC_SEQ_CST) == expected;
    if (sleeps && at) {
        *at = bed();
        sleepers[*at].address = address;
    }
    __raddle_atomic_end();
    return sleeps;
}

static int wait_uncounted(const int *address, int expected, const void *time) {
    if (!falls_asleep(address, expected, NULL))
        return fails_with(EAGAIN);
    unsigned end = __raddle_choice(3);
    if (end == 2 && time)
        return fails_with(ETIMEDOUT);
    return end == 1 ? fails_with(EINTR) : 0;
}

static int wait_for_wake(const int *address, int expected, const void *time) {
    int at = 0;
    if (!falls_asleep(address, expected, &at))
        return fails_with(EAGAIN);
    __raddle_atomic_begin();
    _Bool woken = sleepers[at].woken;
    if (time || !__raddle_checking(DEADLOCKS))
        __raddle_assume(woken);
    else
        __raddle_block(woken);
    sleepers[at].address = NULL;
    sleepers[at].woken = 0;
    __raddle_atomic_end();
    return 0;
}

static int wait(const int *address, int expected, const void *time) {
    return __raddle_choice(2) ? wait_uncounted(address, expected, time)
                              : wait_for_wake(address, expected, time);
}

static int wake(const int *address, int most) {
    int asleep = 0, count = 0;
    __raddle_atomic_begin();
    for (int i = 0; i < SLEEPERS; i++)
        asleep += sleepers[i].address == address && !sleepers[i].woken;
    for (int i = 0; i < SLEEPERS && count < most; i++) {
        if (sleepers[i].address != address || sleepers[i].woken)
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
    return count;
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
