// args: --property assertions
// expect: UNSAFE assertions
// When main has ended by pthread_exit the program ends with its last thread, as by exit.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int work;

static void at_the_end(void) {
    assert(work == 0); //~ assertions
}

static void *run(void *arg) {
    work = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    atexit(at_the_end);
    pthread_create(&t, 0, run, 0);
    pthread_detach(t);
    pthread_exit(0);
}
