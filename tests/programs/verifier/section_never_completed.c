// args: --property races
// expect: UNSAFE races
// The section never takes its step, but it stands before its accesses; what it would write depends on what it reads.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int a[4];

void *stops(void *arg) {
    __VERIFIER_atomic_begin();
    int i = a[0]; //~ races
    a[i & 3] = 0; //~ races
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, stops, 0);
    a[0] = 2; //~ races
    return 0;
}
