// args: --property assertions
// expect: UNSAFE assertions
// Reading in the same order as writing may see the second write without the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

void *run(void *arg) {
    x = 1;
    y = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int a = x, b = y;
    assert(a >= b); //~ assertions
    pthread_join(t, 0);
    return 0;
}
