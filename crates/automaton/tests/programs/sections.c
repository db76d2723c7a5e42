// Atomic sections that stop, end with their thread, or end the program.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int x, y;

void *asserts(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    assert(y);
    __VERIFIER_atomic_end();
    return arg;
}

void *assumes(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_assume(y);
    __VERIFIER_atomic_end();
    return arg;
}

void *exits(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    if (y)
        abort();
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, asserts, 0);
    pthread_create(&u, 0, assumes, 0);
    pthread_create(&v, 0, exits, 0);
    y = 1;
    return 0;
}
