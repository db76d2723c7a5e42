// args: --property deadlocks
// expect: UNSAFE deadlocks
// Each thread waits for the other's flag before it sets its own.
#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b;

void *run(void *arg) {
    while (!a) //~ deadlocks
        ;
    b = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    while (!b) //~ deadlocks
        ;
    a = 1;
    pthread_join(t, 0);
    return 0;
}
