// args auto: --unwind 2
// args staged: --unwind 2
// args context: --unwind 2 --contexts 4
// args unwinding: --unwind 2 --writes 4
// args: --property deadlocks,races
// expect: SAFE
// expect auto, staged: BOUNDED (loops without an end are not unrolled to one)
// expect explore: BOUNDED (only some values of inputs are tried)
// Two threads take turns, each waits in a loop for its own, and both take two locks in the same order.
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
atomic_int turn;
int moved;

void *other(void *unused) {
    for (;;) {
        int amount = __VERIFIER_nondet_int();
        while (turn != 1)
            ;
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        moved = amount;
        pthread_mutex_unlock(&a);
        turn = 0;
        pthread_mutex_unlock(&b);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    for (;;) {
        int amount = __VERIFIER_nondet_int();
        while (turn != 0)
            ;
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        moved = amount;
        turn = 1;
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
}
