// A signal that a thread sends to the whole program does not order threads that go on.
// args: --property races
// expect: UNSAFE races
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static int data;

static void *run(void *argument) {
    pthread_sigmask(SIG_BLOCK, argument, NULL);
    data = 1; //~ races
    raise(SIGUSR1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, run, &set);
    sigwait(&set, &number);
    return data; //~ races
}
