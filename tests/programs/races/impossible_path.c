// args: --property races
// expect: SAFE
// The two writes are never possible at the same time.
#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;
int x;

void *run(void *arg) {
    if (turn == 1)
        x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    x = 2;
    turn = 1;
    pthread_join(t, 0);
    return 0;
}
