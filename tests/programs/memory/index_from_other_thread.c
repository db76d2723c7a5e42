// args: --property memory
// expect: UNSAFE memory
// The index grows between the test and the use.
#include <pthread.h>

int a[2], i;

void *run(void *arg) {
    i = 2;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    if (i < 2)
        a[i] = 1; //~ memory
    pthread_join(t, 0);
    return 0;
}
