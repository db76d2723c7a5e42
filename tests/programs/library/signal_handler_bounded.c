// expect: BOUNDED
// A handler could run between any two steps; it is run in some places only, and nothing else is wrong.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_int stop;
int done;

void on_signal(int number) { stop = number; }

void *worker(void *unused) {
    while (!stop)
        ;
    done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    struct sigaction action = {.sa_handler = on_signal}, old;
    sigaction(SIGTERM, &action, 0);
    sigaction(SIGTERM, 0, &old);
    assert(old.sa_handler == on_signal);
    pthread_create(&thread, 0, worker, 0);
    while (!stop)
        sleep(1);
    assert(stop == SIGTERM);
    pthread_join(thread, 0);
    assert(done);
    return 0;
}
