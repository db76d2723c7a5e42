// expect: BOUNDED
// A signal that a thread sends to itself is handled before the call returns; once only with SA_RESETHAND; ignored ones have no effect.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int got[3], details;

static void first(int number) { got[0] = number; }
static void second(int number, siginfo_t *info, void *context) {
    assert(info->si_signo == number && context);
    details++;
}

int main(void) {
    void (*old)(int) = signal(SIGUSR1, first);
    assert(old == SIG_DFL);
    raise(SIGUSR1);
    assert(got[0] == SIGUSR1);
    struct sigaction action = {.sa_sigaction = second, .sa_flags = SA_SIGINFO | SA_RESETHAND};
    sigaction(SIGUSR2, &action, 0);
    pthread_kill(pthread_self(), SIGUSR2);
    assert(details == 1);
    signal(SIGUSR1, SIG_IGN);
    got[0] = 0;
    raise(SIGUSR1);
    assert(got[0] == 0);
    raise(SIGUSR2); // The default action by now.
    assert(0);
    return 0;
}
