// args: --property deadlocks
// expect: UNSAFE deadlocks
// Three are expected, two come.
#include <pthread.h>

pthread_barrier_t b;

void *run(void *arg) {
    pthread_barrier_wait(&b); //~ deadlocks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 3);
    pthread_create(&t, 0, run, 0);
    pthread_barrier_wait(&b); //~ deadlocks
    pthread_join(t, 0);
    return 0;
}
