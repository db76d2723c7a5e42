// args: --property deadlocks
// expect: UNSAFE deadlocks
// A turn that is nobody's: both threads wait in their loops for ever.
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

atomic_int turn;

void *other(void *unused) {
    for (;;) {
        while (turn != 1) //~ deadlocks
            ;
        turn = 0;
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    for (;;) {
        while (turn != 0) //~ deadlocks
            ;
        turn = __VERIFIER_nondet_int() > 0 ? 1 : 2;
    }
}
