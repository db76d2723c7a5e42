/* Sending signals.
 *
 * raise, kill and pthread_kill of a signal end the program, or call the handler (signal_handlers.c). Once the program has set a mask it
 * may also be that they have no effect that it notices (the signal is blocked or waited for:
 * sigwait gives any signal at any time). Signal 0 only asks. alarm and timers send theirs from outside.
 * left out: which signals are blocked (any, once there is a mask); what sigqueue sends with a signal; a program that
 * stops is continued at once; a sigwait that only a signal of this program ends always ends.
 *
 * accesses: hidden
 */
#include "pthread_types.h"
#include "any.h"

enum { LAST = 64, SIGKILL = 9 };

extern int __raddle_signals_managed;

int __raddle_thread_before_cancel(pthread_t thread);

/* Those that are ignored by default, or stop and continue the program. */
static _Bool is_harmless(int number) {
    enum { SIGCHLD = 17, SIGTTOU = 22, SIGURG = 23, SIGWINCH = 28 };
    return (number >= SIGCHLD && number <= SIGTTOU) || number == SIGURG || number == SIGWINCH;
}

/* What handlers and actions have to do with it: 0 nothing, 1 all is done, 2 the default action is taken. */
static void has_effect(int number, int known) {
    if (known == 1 || is_harmless(number))
        return;
    int managed = __atomic_load_n(&__raddle_signals_managed, __ATOMIC_SEQ_CST);
    if (!managed || known == 2 || number == SIGKILL || __raddle_choice(2))
        __raddle_abort();
}

static void sent(int number) {
    if (number != 0)
        has_effect(number, __raddle_signal_sent(number));
}

int raise(int number) {
    if (number < 0 || number > LAST)
        return fails_with(EINVAL);
    sent(number);
    return 0;
}

int kill(int process, int number) {
    if (number < 0 || number > LAST)
        return fails_with(EINVAL);
    if (may_fail())
        return fails();
    if (number != 0 && __raddle_choice(2))
        sent(number);
    return 0;
}

int killpg(int group, int number) { return kill(-group, number); }

int pthread_kill(pthread_t thread, int number) {
    if (number < 0 || number > LAST)
        return EINVAL;
    int error = __raddle_thread_before_cancel(thread);
    if (!error && number != 0)
        has_effect(number, __raddle_signal_sent_to(thread, number));
    return error;
}

/* With a value for who waits, which gives any (signals.c). */
int sigqueue(int process, int number, void *value) { return kill(process, number); }
int pthread_sigqueue(pthread_t thread, int number, void *value) { return pthread_kill(thread, number); }
int tgkill(int process, int thread, int number) {
    if (number < 0 || number > LAST)
        return fails_with(EINVAL);
    if (may_fail())
        return fails();
    if (number != 0)
        has_effect(number, __raddle_signal_sent_to(0, number));
    return 0;
}

unsigned alarm(unsigned seconds) { return __raddle_input_u32() & 0xffff; }

/* Only a handler lets it return. */
int pause(void) {
    __raddle_cancel_point();
    __raddle_assume(__raddle_signal_point());
    return fails_with(EINTR);
}

int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return LAST; }
