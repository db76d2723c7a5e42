// args: --property assertions,races,deadlocks
// expect: SAFE
// A spin lock over a weak exchange: failing spuriously for ever is no deadlock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int held;
int n;

static void lock(void) {
    int expected = 0;
    while (!atomic_compare_exchange_weak(&held, &expected, 1))
        expected = 0;
}

void *run(void *arg) {
    lock();
    n++;
    held = 0;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
