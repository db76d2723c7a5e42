// args: --property assertions
// expect: UNSAFE assertions
// A thread whose assumption fails stops; the others go on.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int x;

void *run(void *arg) {
    __VERIFIER_assume(0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    assert(x); //~ assertions
    pthread_join(t, 0);
    return 0;
}
