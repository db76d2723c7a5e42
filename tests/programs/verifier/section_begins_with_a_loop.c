// Others may come in between a step and the section after it, also if the section begins with a loop.
// expect: UNSAFE assertions
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y[3];

void *work(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 3; i++)
        y[i] = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    __VERIFIER_atomic_begin();
    int a = x, b = y[2];
    __VERIFIER_atomic_end();
    assert(a == b); //~ assertions
    return 0;
}
