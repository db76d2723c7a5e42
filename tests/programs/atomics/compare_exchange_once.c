// args: --property assertions
// expect: UNSAFE assertions
// A failed compare-exchange that is not retried.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *run(void *arg) {
    int old = atomic_load(&x);
    atomic_compare_exchange_strong(&x, &old, old + 1);
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
