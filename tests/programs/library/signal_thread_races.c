// A thread that waits for signals tells the others by a variable that nobody protects.
// args: --property races,deadlocks
// expect: UNSAFE races
#include <pthread.h>
#include <signal.h>

static sigset_t wanted;
static int last;

static void *waiter(void *arg) {
    int number;
    if (sigwait(&wanted, &number) == 0)
        last = number; //~ races
    return NULL;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &wanted, NULL);
    pthread_create(&thread, NULL, waiter, NULL);
    int seen = last; //~ races
    pthread_join(thread, NULL);
    return seen;
}
