// args: --property assertions
// expect: SAFE
// Retry loops around weak exchanges that read the value anew: a spurious failure is one more turn that changes nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sum;

void *run(void *arg) {
    int seen;
    do
        seen = sum;
    while (!atomic_compare_exchange_weak(&sum, &seen, seen + 1));
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_create(&c, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(sum == 3);
    return 0;
}
