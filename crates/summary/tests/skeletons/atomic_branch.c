// A write on one path of a section, then a wait on the other: only executions that come to the wait depend on it.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int x, y;
void *work(void *arg) {
    __VERIFIER_atomic_begin();
    if (y == 1)
        x = 1;
    else
        __VERIFIER_assume(y == 2);
    __VERIFIER_atomic_end();
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    y = 2;
    return x;
}
