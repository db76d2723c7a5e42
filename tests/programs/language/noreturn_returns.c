// args: --property assertions
// expect: UNSAFE assertions
// A function that promises not to return does, if the other thread comes first.
#include <pthread.h>
#include <stdlib.h>

_Atomic int alive;

_Noreturn void stop(void) {
    if (!alive)
        exit(1);
}

void *run(void *arg) {
    alive = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    stop(); //~ assertions
}
