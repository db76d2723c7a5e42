// args: --property assertions
// expect: UNSAFE assertions
// An atomic load and an atomic store are not an atomic increment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *run(void *arg) {
    atomic_store(&x, atomic_load(&x) + 1);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2); //~ assertions
    return 0;
}
