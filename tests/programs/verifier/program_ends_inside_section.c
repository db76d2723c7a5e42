// A section in which the program ends is not seen by anybody.
// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *work(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    exit(0);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    __VERIFIER_atomic_begin();
    int now = x;
    __VERIFIER_atomic_end();
    assert(now == 0);
    return 0;
}
