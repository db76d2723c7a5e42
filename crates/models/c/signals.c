/* Signals: sets of them, masks, dispositions, waiting for one.
 *
 * Signals come from outside only. One that is ignored has no effect; one with the default action
 * ends the program at any time, after which nothing can go wrong. A handler of the program could
 * run in any thread at any time, which is not modelled: to install one is UNKNOWN. sigwait gives any
 * signal of its set.
 * left out: that a signal was sent by this program (sending_signals.c); sigwait that waits for ever; the old action of sigaction is always said to be the default one.
 *
 * accesses: visible
 */
#include "any.h"
#include "caller.h"

typedef struct {
    unsigned long bits[128 / sizeof(long)];
} sigset_t;

enum { SIGNALS = 64 };

/* Whether the program has changed what becomes of signals. */
int __raddle_signals_managed;

int sigemptyset(sigset_t *set) {
    *set = (sigset_t){0};
    return 0;
}

int sigfillset(sigset_t *set) {
    for (unsigned i = 0; i < sizeof set->bits / sizeof set->bits[0]; i++)
        set->bits[i] = ~0ul;
    return 0;
}

static int is_signal(int number) { return number > 0 && number <= SIGNALS; }
static unsigned long *word(sigset_t *set, int number) {
    return &set->bits[(unsigned)(number - 1) / (8 * sizeof(long))];
}
static unsigned long bit(int number) { return 1ul << (unsigned)(number - 1) % (8 * sizeof(long)); }

int sigaddset(sigset_t *set, int number) {
    if (!is_signal(number))
        return fails_with(EINVAL);
    *word(set, number) |= bit(number);
    return 0;
}

int sigdelset(sigset_t *set, int number) {
    if (!is_signal(number))
        return fails_with(EINVAL);
    *word(set, number) &= ~bit(number);
    return 0;
}

int sigismember(const sigset_t *set, int number) {
    if (!is_signal(number))
        return fails_with(EINVAL);
    return (*word((sigset_t *)set, number) & bit(number)) != 0;
}

static void manage(void) { __atomic_store_n(&__raddle_signals_managed, 1, __ATOMIC_SEQ_CST); }

/* The mask decides where handlers run, and there are none; what was set before is arbitrary. */
static int mask(int how, const sigset_t *set, sigset_t *old) {
    if (set && (how < 0 || how > 2))
        return EINVAL;
    if (set) {
        __raddle_read_bytes(set, 8);
        manage();
    }
    if (old) {
        sigemptyset(old);
        __raddle_fill(old, 8);
    }
    return 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) { return mask(how, set, old); }
int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    return mask(how, set, old) ? fails_with(EINVAL) : 0;
}

/* SIG_DFL is 0, SIG_IGN is 1. */
static void check_action(const void *handler) {
    if ((uintptr_t)handler > 1)
        __raddle_unsupported("a signal handler of the program");
    manage();
}

typedef struct {
    void *handler;
    char rest[sizeof(sigset_t) + 2 * sizeof(void *)];
} action;

int sigaction(int number, const action *next, action *old) {
    if (!is_signal(number))
        return fails_with(EINVAL);
    if (next)
        check_action(next->handler);
    if (old) {
        old->handler = NULL;
        for (unsigned i = 0; i < sizeof old->rest; i++)
            old->rest[i] = 0;
    }
    return 0;
}

void *signal(int number, void *handler) {
    check_action(handler);
    if (is_signal(number))
        return NULL;
    fails_with(EINVAL);
    return (void *)-1;
}

int sigwait(const sigset_t *set, int *number) {
    __raddle_cancel_point();
    int found = any_int();
    __raddle_assume(is_signal(found) && sigismember(set, found));
    *number = found;
    return 0;
}

int sigwaitinfo(const sigset_t *set, void *info) {
    int number;
    sigwait(set, &number);
    if (info)
        __raddle_fill(info, 128);
    return number;
}
int sigtimedwait(const sigset_t *set, void *info, const void *time) {
    __raddle_cancel_point();
    if (!__raddle_time_is_valid(time))
        return fails_with(EINVAL);
    return may_fail() ? fails_with(EAGAIN) : sigwaitinfo(set, info);
}
int sigpending(sigset_t *set) {
    sigemptyset(set);
    __raddle_fill(set, 8);
    return 0;
}
int siginterrupt(int number, int interrupts) { return 0; }

/* Another stack is for handlers, and there are none. */
int sigaltstack(const void *next, void *old) {
    enum { SIZE = 3 * sizeof(long) };
    if (next)
        __raddle_read_bytes(next, SIZE);
    if (old)
        __raddle_fill(old, SIZE);
    return 0;
}

int sigisemptyset(const sigset_t *set) { return set->bits[0] == 0; }
int sigorset(sigset_t *to, const sigset_t *a, const sigset_t *b) {
    for (unsigned i = 0; i < sizeof to->bits / sizeof to->bits[0]; i++)
        to->bits[i] = a->bits[i] | b->bits[i];
    return 0;
}
int sigandset(sigset_t *to, const sigset_t *a, const sigset_t *b) {
    for (unsigned i = 0; i < sizeof to->bits / sizeof to->bits[0]; i++)
        to->bits[i] = a->bits[i] & b->bits[i];
    return 0;
}
void psignal(int number, const char *text) {
    if (text)
        read_text(text);
}
