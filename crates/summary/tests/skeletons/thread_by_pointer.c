// Which function a thread runs is known to be one of two: two threads, exclusive.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *one(void *arg) { x = 1; return arg; }
void *two(void *arg) { x = 2; return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, __VERIFIER_nondet_int() ? one : two, 0);
    pthread_join(t, 0);
    return x;
}
