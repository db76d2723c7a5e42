// args: --property memory
// expect: UNSAFE memory
// The variable belongs to the function that calls pthread_exit; the other thread does not wait for the end.
#include <pthread.h>
#include <stdatomic.h>

int *_Atomic p;

static void leave(void) {
    int local = 1;
    p = &local;
    pthread_exit(0);
}

void *run(void *arg) {
    leave();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    int *q = p;
    if (q)
        *q = 2; //~ memory
    return 0;
}
