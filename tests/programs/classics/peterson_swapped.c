// expect: UNSAFE races
// The turn is given away before the wish is shown.
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int x;

void *run(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    turn = other;
    wants[me] = 1;
    while (wants[other] && turn == other)
        ;
    x++; //~ races
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, (void *)1);
    run((void *)0);
    pthread_join(t, 0);
    return 0;
}
