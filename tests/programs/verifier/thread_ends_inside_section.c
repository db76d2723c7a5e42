// args: --property assertions
// expect: UNSAFE assertions
// A thread that ends inside its section has taken that step.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);

_Atomic int x;

void *run(void *arg) {
    __VERIFIER_atomic_begin();
    x = x + 2;
    pthread_exit(arg);
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    assert(x <= 3); //~ assertions
    return 0;
}
