// args: --property assertions --property races
// expect: SAFE
// Three threads wait for each other in turn.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;
int x;

void *run(void *arg) {
    int mine = (int)(long)arg;
    while (turn != mine)
        ;
    x = 10 * x + mine;
    turn = mine + 1;
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(x == 12);
    return 0;
}
