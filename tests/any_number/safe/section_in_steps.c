// An atomic section that takes many steps is one step for all others.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
unsigned __VERIFIER_nondet_uint(void);
int a, b;

void *visitor(void *unused) {
    __VERIFIER_atomic_begin();
    assert(a == b);
    a = !a;
    for (unsigned i = __VERIFIER_nondet_uint() % 3; i > 0; i--)
        a = !a, b = !b;
    b = !b;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
