// An access through a pointer that comes from nowhere is cut off, not skipped.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *work(void *arg) {
    long k = __VERIFIER_nondet_int();
    *(int *)(k * 8) = 1;
    x = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return x;
}
