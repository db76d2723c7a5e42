// args: --property assertions
// expect: SAFE
// Signals that are ignored or blocked and waited for; sigwait gives one of its set.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    int got = 0;
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    assert(sigismember(&set, SIGINT) && !sigismember(&set, SIGHUP));
    assert(pthread_sigmask(SIG_BLOCK, &set, 0) == 0);
    assert(sigwait(&set, &got) == 0);
    assert(got == SIGTERM || got == SIGINT);
    return 0;
}
