// args: --property assertions --property races --property deadlocks
// expect: SAFE
// The barrier can be used again at once.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t b;
int value[2];

void *run(void *arg) {
    long i = (long)arg;
    value[i] = 1;
    pthread_barrier_wait(&b);
    int other = value[1 - i];
    pthread_barrier_wait(&b);
    value[i] = other + 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, run, (void *)1);
    run((void *)0);
    pthread_join(t, 0);
    assert(value[0] == 2 && value[1] == 2);
    return 0;
}
