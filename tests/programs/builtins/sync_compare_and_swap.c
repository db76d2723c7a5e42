// args: --property assertions --property races
// expect: SAFE
// Both forms of __sync compare-and-swap.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    int old;
    do
        old = __sync_val_compare_and_swap(&x, 0, 0);
    while (!__sync_bool_compare_and_swap(&x, old, old + 1));
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2);
    return 0;
}
