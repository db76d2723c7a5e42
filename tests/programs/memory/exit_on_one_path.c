// args: --property memory
// expect: UNSAFE memory
// Only one way through the nested function ends the thread; on the other the variable lives on until it is joined.
#include <pthread.h>

int *p;
int leaves;

static void step(void) {
    if (leaves)
        pthread_exit(0);
}

void *run(void *arg) {
    int local = 1;
    p = &local;
    step();
    for (;;)
        ;
    return arg;
}

int __VERIFIER_nondet_int(void);

int main(void) {
    pthread_t t;
    leaves = __VERIFIER_nondet_int();
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return *p; //~ memory
}
