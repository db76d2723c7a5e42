// args: --property races
// What a section did before an assertion that nobody checks fails in it stays done.
// expect: UNSAFE races
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, ready, data;

int is_set(void) {
    __VERIFIER_atomic_begin();
    int value = x;
    __VERIFIER_atomic_end();
    return value;
}

void *work(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    assert(ready);
    __VERIFIER_atomic_end();
    return arg;
}

void *other(void *arg) {
    if (is_set())
        data = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, other, 0);
    if (is_set())
        data = 2; //~ races
    return 0;
}
