// Dekker: free of starvation under weak fairness.
// SAFE --ltl G (wants[0] == 1 -> F at(first_inside))
// UNSAFE --fairness none --ltl G (wants[0] == 1 -> F at(first_inside))
#include <pthread.h>
#include <stdatomic.h>

atomic_uchar wants[2], turn;

void *second(void *p) {
    while (1) {
        wants[1] = 1;
        while (wants[0]) {
            if (turn == 0) {
                wants[1] = 0;
                while (turn == 0)
                    ;
                wants[1] = 1;
            }
        }
        turn = 0;
        wants[1] = 0;
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    while (1) {
        wants[0] = 1;
        while (wants[1]) {
            if (turn == 1) {
                wants[0] = 0;
                while (turn == 1)
                    ;
                wants[0] = 1;
            }
        }
    first_inside:
        turn = 1;
        wants[0] = 0;
    }
}
