// args: --property memory
// expect: UNSAFE memory
// The thread may run before the pointer is set.
#include <pthread.h>

int x, *p;

void *run(void *arg) {
    *p = 1; //~ memory
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    p = &x;
    pthread_join(t, 0);
    return 0;
}
