// args: --property memory
// expect: UNSAFE memory
// Between the test and the use the pointer becomes null.
#include <pthread.h>

int x, *p = &x;

void *run(void *arg) {
    if (p)
        *p = 1; //~ memory
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    p = 0;
    pthread_join(t, 0);
    return 0;
}
