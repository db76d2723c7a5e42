// expect: UNSAFE deadlocks races
// Tickets are drawn in two steps, so two threads may hold the same.
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next, serving;
int x;

void *run(void *arg) {
    unsigned mine = next;
    next = mine + 1;
    while (serving != mine) //~ deadlocks
        ;
    x++; //~ races
    serving = mine + 1;
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0); //~ deadlocks
    pthread_join(u, 0); //~ deadlocks
    return 0;
}
