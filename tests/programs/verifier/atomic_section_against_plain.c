// args: --property races
// expect: UNSAFE races
// An access in an atomic section and one outside.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *run(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1; //~ races
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int seen = x; //~ races
    pthread_join(t, 0);
    return seen;
}
