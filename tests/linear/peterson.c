// Peterson: free of starvation under weak fairness, not without any.
// SAFE --ltl G (flag[0] == 1 -> F at(first_inside))
// SAFE --ltl G (flag[1] == 1 -> F at(second_inside))
// SAFE --ltl G !(at(first_inside) && at(second_inside))
// UNSAFE --fairness none --ltl G (flag[0] == 1 -> F at(first_inside))
// UNSAFE --ltl G F at(first_inside) && F G !at(second_inside)
// SAFE --property starvation
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2], turn;

void *second(void *p) {
    while (1) {
        flag[1] = 1;
        turn = 0;
        while (flag[0] && turn == 0)
            ;
    second_inside:
        flag[1] = 0;
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, second, 0);
    while (1) {
        flag[0] = 1;
        turn = 1;
        while (flag[1] && turn == 1)
            ;
    first_inside:
        flag[0] = 0;
    }
}
