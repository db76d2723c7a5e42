// args: --property races,assertions
// expect: UNSAFE races
// The result is used although the thread may not have ended.
#define _GNU_SOURCE
#include <pthread.h>

int x;

void *run(void *arg) {
    x = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    if (pthread_tryjoin_np(t, 0) == 0)
        return x;
    return x; //~ races
}
