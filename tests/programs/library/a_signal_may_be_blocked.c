// args: --property assertions
// expect: UNSAFE assertions
// raise returns if the signal is blocked, and only then.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int main(int argc, char **argv) {
    if (argc > 1) {
        raise(SIGTERM);
        assert(0);
    }
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    raise(SIGTERM);
    assert(0); //~ assertions
    return 0;
}
