/* Handlers of signals.
 *
 * POSIX: the handler of a signal runs in a thread that does not block it, between any two steps. Here a signal from
 * outside comes while the main thread is in a call that can wait (sleep, accept, recv, read, poll, select, epoll_wait,
 * pthread_join, pthread_cond_wait, sem_wait, pause, sigsuspend); what the program sends to the calling thread is handled
 * before raise returns. That is part of what can happen: the best verdict is BOUNDED.
 * As long as there is a handler nothing waits for ever, since a signal may come at last: a mask of the deadlock is a thread that
 * stands outside (only where deadlocks are looked for).
 * left out: signals from outside anywhere else, in other threads, or inside another handler; more than 4 signals with handlers;
 * calls that a handler ends early other than those that may fail anyway; signals that are sent to another thread or while
 * they are blocked (UNKNOWN).
 *
 * accesses: hidden
 */
#include "any.h"
#include "pthread_types.h"

enum { SIGNALS = 64, KINDS = 4, MAIN = 1 };
/* SA_SIGINFO, and SA_RESETHAND: the handler runs once. */
#define WITH_DETAILS 4
#define ONCE 0x80000000
#define IGNORE ((void *)1)

static struct {
    void *handler;
    int flags;
} actions[SIGNALS + 1];

/* Signals that have had a handler. */
static int known[KINDS], kinds;
/* Signals that the main thread blocks; whether any other thread has set a mask. */
static unsigned long long blocked_by_main;
static _Bool other_masks;
static _Thread_local _Bool inside;

/* Keeps those who wait from being a deadlock. */
static void *outside(void *unused) {
    __raddle_assume(0);
    return unused;
}

static void note(int number) {
    for (int i = 0; i < kinds; i++)
        if (known[i] == number)
            return;
    if (kinds < KINDS)
        known[kinds++] = number;
}

void *__raddle_set_action(int number, int sets, void *handler, int flags, int *old_flags) {
    __raddle_atomic_begin();
    void *old = actions[number].handler;
    *old_flags = actions[number].flags;
    _Bool first = 0;
    if (sets) {
        actions[number].handler = handler;
        actions[number].flags = flags;
        if ((uintptr_t)handler > (uintptr_t)IGNORE) {
            first = kinds == 0;
            note(number);
        }
    }
    __raddle_atomic_end();
    if (__raddle_checking(DEADLOCKS) && first) {
        pthread_attr_t detached = {.detach_state = 1};
        __raddle_thread_begins(__raddle_create(outside, NULL), &detached);
    }
    return old;
}

void __raddle_set_mask(int how, unsigned long long set) {
    enum { BLOCK, UNBLOCK };
    if (__raddle_self() != MAIN) {
        __atomic_store_n(&other_masks, 1, __ATOMIC_SEQ_CST);
        return;
    }
    blocked_by_main = how == BLOCK     ? blocked_by_main | set
                      : how == UNBLOCK ? blocked_by_main & ~set
                                       : set;
}

static _Bool is_blocked(int number, unsigned long long set) { return set >> (number - 1) & 1; }

static void run(int number, void *handler, int flags) {
    inside = 1;
    if (flags & WITH_DETAILS) {
        /* Arbitrary but for the number. */
        int info[32];
        long context[128];
        info[0] = number;
        ((void (*)(int, void *, void *))handler)(number, info, context);
    } else
        ((void (*)(int))handler)(number);
    inside = 0;
}

/* What is done at a signal; the default action and nothing are 0 and 1. */
static void *take_action(int number, int *flags) {
    __raddle_atomic_begin();
    void *handler = actions[number].handler;
    *flags = actions[number].flags;
    if ((uintptr_t)handler > (uintptr_t)IGNORE && *flags & ONCE)
        actions[number].handler = NULL;
    __raddle_atomic_end();
    return handler;
}

/* A signal from outside, in spite of these. */
static int arrives(unsigned long long blocked) {
    if (__raddle_self() != MAIN || inside)
        return 0;
    int count = __atomic_load_n(&kinds, __ATOMIC_SEQ_CST);
    if (count == 0 || !__raddle_choice(2))
        return 0;
    unsigned which = count == 1 ? 0 : __raddle_choice(KINDS);
    __raddle_assume(which < (unsigned)count);
    int number = known[which], flags;
    if (is_blocked(number, blocked))
        return 0;
    void *handler = take_action(number, &flags);
    if ((uintptr_t)handler <= (uintptr_t)IGNORE)
        return 0;
    run(number, handler, flags);
    return 1;
}

int __raddle_signal_point(void) { return arrives(blocked_by_main); }

int sigsuspend(const unsigned long long *set) {
    __raddle_read_bytes(set, sizeof *set);
    unsigned long long blocked = *set;
    __raddle_cancel_point();
    __raddle_assume(arrives(blocked));
    return fails_with(EINTR);
}

int __raddle_signal_sent(int number) {
    _Bool blocked = __raddle_self() == MAIN ? is_blocked(number, blocked_by_main)
                                            : other_masks || blocked_by_main != 0;
    int flags;
    void *handler = take_action(number, &flags);
    if (handler == IGNORE)
        return 1;
    if (handler == NULL)
        return blocked ? 0 : 2;
    if (blocked)
        __raddle_unsupported("a signal with a handler that is sent while it may be blocked");
    run(number, handler, flags);
    return 1;
}

int __raddle_signal_sent_to(pthread_t thread, int number) {
    if (thread == __raddle_self())
        return __raddle_signal_sent(number);
    __raddle_atomic_begin();
    void *handler = actions[number].handler;
    __raddle_atomic_end();
    if ((uintptr_t)handler > (uintptr_t)IGNORE)
        __raddle_unsupported("a handler of a signal that is sent to another thread");
    return handler == IGNORE;
}
