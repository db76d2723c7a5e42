// args: --property assertions --property races
// expect: UNSAFE assertions races
// The section of `stops` fails and takes no step: nobody sees what it wrote, and it hides no race of others.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;
_Atomic int flag;

void *stops(void *arg) {
    __VERIFIER_atomic_begin();
    flag = 1;
    assert(flag == 0); //~ assertions
    __VERIFIER_atomic_end();
    return arg;
}

void *writes(void *arg) {
    __VERIFIER_atomic_begin();
    x = flag; //~ races
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, stops, 0);
    pthread_create(&u, 0, writes, 0);
    int seen = x; //~ races
    assert(seen == 0);
    return 0;
}
