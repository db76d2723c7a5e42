// args: --property deadlocks
// expect: UNSAFE deadlocks
// All three threads wait for ever, or two of them while the third one ends: that takes more steps.
#include <pthread.h>

volatile int never, begun, steps;

void *first(void *argument) {
    begun = 1;
    while (!never) //~ deadlocks
        ;
    return argument;
}

void *second(void *argument) {
    if (begun) {
        for (int i = 0; i < 3; i++)
            steps++;
        return argument;
    }
    while (!never) //~ deadlocks
        ;
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    while (!never) //~ deadlocks
        ;
    return 0;
}
