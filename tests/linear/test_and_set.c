// A lock by test-and-set: others may always be faster. A thread that tries can always go on, so that strong
// fairness does not help either.
// UNSAFE --ltl G F at(first_inside)
// UNSAFE --fairness strong --ltl G F at(first_inside)
// SAFE --ltl G F (at(first_inside) || at(second_inside))
// UNSAFE --property starvation
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;

void *second(void *p) {
    while (1) {
        while (atomic_exchange(&lock, 1))
            ;
    second_inside:
        lock = 0;
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    while (1) {
        while (atomic_exchange(&lock, 1))
            ;
    first_inside:
        lock = 0;
    }
}
