// args: --property assertions
// What a section did in a loop before it does something undefined stays done.
// expect: UNSAFE assertions
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x[2], *nowhere;

void *work(void *arg) {
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 2; i++)
        x[i] = 1;
    *nowhere = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    __VERIFIER_atomic_begin();
    int a = x[0], b = x[1];
    __VERIFIER_atomic_end();
    assert(a == b);
    assert(a == 0); //~ assertions
    return 0;
}
