/* Signals: sets of them, masks, dispositions, waiting for one.
 *
 * Signals come from outside, or are sent by this program (sending_signals.c). One that is ignored has no effect; one with the
 * default action ends the program at any time, after which nothing can go wrong. When handlers run: signal_handlers.c. sigwait
 * gives any signal of its set.
 * left out: that a signal of this program ends a sigwait; sigwait that waits for ever; the mask in the old action of sigaction is always empty;
 * what a handler blocks while it runs.
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
/* What is done at SIGKILL and SIGSTOP is not to be changed. */
static int has_an_action(int number) { return is_signal(number) && number != 9 && number != 19; }
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

void __raddle_set_mask(int how, unsigned long long set);
void *__raddle_set_action(int number, int sets, void *handler, int flags, int *old_flags);

/* What was set before is arbitrary. */
static int mask(int how, const sigset_t *set, sigset_t *old) {
    if (set && (how < 0 || how > 2))
        return EINVAL;
    if (set) {
        __raddle_read_bytes(set, 8);
        __raddle_set_mask(how, *(const unsigned long long *)set);
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

typedef struct {
    void *handler;
    sigset_t mask;
    int flags;
    void *restorer;
} action;

int sigaction(int number, const action *next, action *old) {
    if (!(next ? has_an_action(number) : is_signal(number)))
        return fails_with(EINVAL);
    void *handler = NULL;
    int flags = 0, old_flags;
    if (next) {
        handler = next->handler;
        flags = next->flags;
        manage();
    }
    handler = __raddle_set_action(number, next != NULL, handler, flags, &old_flags);
    if (old) {
        old->handler = handler;
        sigemptyset(&old->mask);
        old->flags = old_flags;
        old->restorer = NULL;
    }
    return 0;
}

void *signal(int number, void *handler) {
    int old_flags;
    if (!has_an_action(number)) {
        fails_with(EINVAL);
        return (void *)-1;
    }
    manage();
    return __raddle_set_action(number, 1, handler, 0, &old_flags);
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

/* A stack for handlers: which one they run on makes no difference. */
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
