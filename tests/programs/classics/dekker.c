// expect: SAFE
// Dekker's mutual exclusion for two threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int x;

void *run(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    wants[me] = 1;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    }
    x++;
    turn = other;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, (void *)1);
    run((void *)0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
