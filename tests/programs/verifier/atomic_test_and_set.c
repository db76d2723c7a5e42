// args: --property assertions
// expect: SAFE
// A lock from an atomic section with an assumption: the section waits until it holds.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int lock, x;

void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(lock == 0);
    lock = 1;
}

void *run(void *arg) {
    __VERIFIER_atomic_acquire();
    int old = x;
    x = old + 1;
    lock = 0;
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
