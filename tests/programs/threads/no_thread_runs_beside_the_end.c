// args: --property assertions,races,deadlocks
// expect: SAFE
// What atexit registered runs when all threads have ended, if none of them leaves by exit.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int work;

static void at_the_end(void) {
    assert(work == 2);
}

static void *second(void *arg) {
    work++;
    pthread_exit(arg);
}

static void *first(void *arg) {
    pthread_t t;
    work++;
    pthread_create(&t, 0, second, 0);
    pthread_detach(t);
    return arg;
}

int main(void) {
    pthread_t t;
    atexit(at_the_end);
    pthread_create(&t, 0, first, 0);
    pthread_exit(0);
}
