// property: deadlocks
// Spinning is waiting, unless the iteration asked for an input.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int flag;
void *spins(void *arg) {
    while (!flag)
        ;
    return arg;
}
void *asks(void *arg) {
    while (!flag)
        if (__VERIFIER_nondet_int())
            break;
    return arg;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, spins, 0);
    pthread_create(&t, 0, asks, 0);
    flag = 1;
    return 0;
}
