// Once all have come the barrier can be destroyed, also if some have not left yet: destroying it waits for them.
// args: --property memory,deadlocks,locks
// expect: SAFE
#include <pthread.h>
#include <stdlib.h>

pthread_barrier_t *barrier;

void *meet(void *arg) {
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
    return arg;
}

int main(void) {
    pthread_t t;
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, 0, 2);
    pthread_create(&t, 0, meet, 0);
    meet(0);
    pthread_join(t, 0);
    return 0;
}
