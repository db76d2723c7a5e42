// expect: UNSAFE deadlocks
// Waiting for a full counter that somebody has already reset.
#include <pthread.h>
#include <stdatomic.h>

atomic_int waiting;

void barrier(void) {
    atomic_fetch_add(&waiting, 1);
    while (waiting != 2) //~ deadlocks
        ;
}

void *run(void *arg) {
    barrier();
    waiting = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    barrier();
    pthread_join(t, 0);
    return 0;
}
