// args: --property races
// expect: UNSAFE races
// Two pointers to the same variable.
#include <pthread.h>

int x, *p = &x, *q = &x;

void *run(void *arg) {
    *p = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    *q = 2; //~ races
    pthread_join(t, 0);
    return 0;
}
