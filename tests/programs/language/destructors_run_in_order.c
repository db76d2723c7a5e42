// args: --property assertions,races,memory
// expect: SAFE
// Functions with the attribute run when a thread calls exit, those of higher priority and those of atexit first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int step;

__attribute__((destructor(200))) static void last(void) {
    assert(step == 2);
}

__attribute__((destructor)) static void second(void) {
    assert(step == 1);
    step = 2;
}

static void first(void) {
    assert(step == 0);
    step = 1;
}

static void *run(void *arg) {
    exit(0);
    return arg;
}

int main(void) {
    pthread_t t;
    atexit(first);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(0);
    return 0;
}
