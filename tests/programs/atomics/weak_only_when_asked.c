// args: --property assertions
// expect: SAFE
// The builtin with weak = 0: one of the two threads succeeds.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    int expected = 0;
    __atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 1);
    return 0;
}
