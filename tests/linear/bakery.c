// Lamport's bakery for two threads: without fairness one of them may wait for ever. Numbers end at 3: who would draw
// a higher one waits before. (That nobody waits for ever under weak fairness is not proved in two minutes.)
// UNSAFE --fairness none --ltl G F at(first_inside)
#include <pthread.h>
#include <stdatomic.h>

atomic_uchar first_chooses, second_chooses, first, second;

void *other(void *p) {
    while (1) {
        while (first == 3)
            ;
        second_chooses = 1;
        unsigned char mine = first + 1;
        second = mine;
        second_chooses = 0;
        while (first_chooses)
            ;
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
        first_chooses = 1;
        unsigned char mine = second + 1;
        first = mine;
        first_chooses = 0;
        while (second_chooses)
            ;
        while (1) {
            unsigned char his = second;
            if (his == 0 || mine <= his)
                break;
        }
    first_inside:
        first = 0;
    }
}
