// args: --property deadlocks,races
// expect: SAFE
// A join that gives up tells whether the thread has ended.
#define _GNU_SOURCE
#include <pthread.h>

int x;

void *work(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (pthread_tryjoin_np(t, 0) == 0)
        return x;
    pthread_join(t, 0);
    return x;
}
