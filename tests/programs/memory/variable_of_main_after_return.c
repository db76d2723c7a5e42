// args: --property memory
// expect: UNSAFE memory
// The variables of main are gone when it has returned, though the program is not quite over (C17 5.1.2.2.3).
#include <pthread.h>

int *p;

void *run(void *arg) {
    *p = 2; //~ memory
    return arg;
}

int main(void) {
    int local = 1;
    p = &local;
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    return 0;
}
