// args: --property memory
// expect: UNSAFE memory
// A pointer into the stack of a thread that has ended.
#include <pthread.h>

int *p;

void *run(void *arg) {
    int local = 1;
    p = &local;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return *p; //~ memory
}
