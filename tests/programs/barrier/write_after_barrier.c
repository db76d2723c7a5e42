// args: --property races
// expect: UNSAFE races
// One thread goes on writing after the barrier while the other reads.
#include <pthread.h>

pthread_barrier_t b;
int x;

void *run(void *arg) {
    pthread_barrier_wait(&b);
    x = 2; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, run, 0);
    x = 1;
    pthread_barrier_wait(&b);
    int seen = x; //~ races
    pthread_join(t, 0);
    return seen;
}
