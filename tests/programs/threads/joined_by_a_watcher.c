// args: --property assertions
// expect: UNSAFE assertions
// A third thread finds the number of one of two copies and joins it: that need not have been the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int entered, done;
pthread_t number[2];

void *copy(void *arg) {
    if (atomic_fetch_add(&entered, 1) == 0)
        done = 1;
    return arg;
}

void *watch(void *arg) {
    pthread_join(number[0], 0);
    assert(done); //~ assertions
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&number[0], 0, copy, 0);
    pthread_create(&number[1], 0, copy, 0);
    pthread_create(&t, 0, watch, 0);
    return 0;
}
