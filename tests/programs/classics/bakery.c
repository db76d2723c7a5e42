// expect: SAFE
// Lamport's bakery for two threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int choosing[2], number[2];
int x;

void *run(void *arg) {
    int me = (int)(long)arg, other = 1 - me;
    choosing[me] = 1;
    number[me] = number[other] + 1;
    choosing[me] = 0;
    while (choosing[other])
        ;
    for (;;) {
        int theirs = number[other];
        if (theirs == 0 || theirs > number[me] || (theirs == number[me] && other > me))
            break;
    }
    x++;
    number[me] = 0;
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
