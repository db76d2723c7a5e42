// args: --property assertions --property races
// expect: SAFE
// A function called __VERIFIER_atomic_… is one step.
#include <assert.h>
#include <pthread.h>

int x, y;

void __VERIFIER_atomic_both(void) {
    x++;
    y++;
}

void *run(void *arg) {
    __VERIFIER_atomic_both();
    return arg;
}

int __VERIFIER_atomic_equal(void) { return x == y; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int equal = __VERIFIER_atomic_equal();
    assert(equal);
    pthread_join(t, 0);
    return 0;
}
