// args: --property races
// An access in the middle of a section, in a loop, races with one that is not atomic.
// expect: UNSAFE races
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x[3], first, second;

void *work(void *arg) {
    __VERIFIER_atomic_begin();
    first = 1;
    for (int i = 0; i < 3; i++)
        x[i] = 1; //~ races
    second = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    __VERIFIER_atomic_begin();
    int begun = first, over = second;
    __VERIFIER_atomic_end();
    // Never.
    if (begun && !over)
        first = 2;
    return x[2]; //~ races
}
