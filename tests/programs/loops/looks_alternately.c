// args: --property assertions
// expect: UNSAFE assertions
// Every second iteration is as it was before; none is as the one before it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;

void *other(void *arg) {
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    _Bool odd = 0;
    pthread_create(&t, 0, other, 0);
    while (!ready)
        odd = !odd;
    assert(!odd); //~ assertions
    pthread_join(t, 0);
    return 0;
}
