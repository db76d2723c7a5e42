// args: --property races
// expect: UNSAFE races
// The access that comes first after a join is not ordered by it where the join is left out.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x;

void *work(void *arg) {
    x = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    int patient = __VERIFIER_nondet_int();
    pthread_create(&t, 0, work, 0);
    if (patient)
        pthread_join(t, 0);
    x = 2; //~ races
    return 0;
}
