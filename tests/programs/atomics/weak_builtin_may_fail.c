// args: --property assertions
// expect: UNSAFE assertions
// The builtin with weak = 1: two threads try once each, and both may fail.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    int expected = 0;
    __atomic_compare_exchange_n(&x, &expected, 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 1); //~ assertions
    return 0;
}
