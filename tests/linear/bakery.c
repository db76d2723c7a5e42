// Lamport's bakery for two threads. Numbers are drawn in one step (so nobody has to say that it chooses) and end at 3:
// who would draw a higher one waits before. Nobody waits for ever if scheduling is fair, but may if it is not.
// SAFE --ltl G F at(first_inside)
// UNSAFE --fairness none --ltl G F at(first_inside)
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

atomic_uchar first, second;

void *other(void *p) {
    while (1) {
        while (first == 3)
            ;
        __VERIFIER_atomic_begin();
        unsigned char mine = first + 1;
        second = mine;
        __VERIFIER_atomic_end();
        while (1) {
            unsigned char his = first;
            if (his == 0 || mine < his)
                break;
        }
        second = 0;
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    while (1) {
        while (second == 3)
            ;
        __VERIFIER_atomic_begin();
        unsigned char mine = second + 1;
        first = mine;
        __VERIFIER_atomic_end();
        while (1) {
            unsigned char his = second;
            if (his == 0 || mine <= his)
                break;
        }
    first_inside:
        first = 0;
    }
}
