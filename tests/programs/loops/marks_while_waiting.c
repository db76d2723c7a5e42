// args: --property assertions
// expect: UNSAFE assertions
// What is written in memory of its own is a trace of an iteration, as long as it is new.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready, where;

void *other(void *arg) {
    where = 1;
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    char marks[2] = {0, 0};
    pthread_create(&t, 0, other, 0);
    while (!ready)
        marks[where] = 1;
    assert(!marks[1]); //~ assertions
    pthread_join(t, 0);
    return 0;
}
