// args: --property assertions
// expect: UNSAFE assertions
// Two sections are two steps.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *run(void *arg) {
    __VERIFIER_atomic_begin();
    int old = x;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    x = old + 1;
    __VERIFIER_atomic_end();
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
