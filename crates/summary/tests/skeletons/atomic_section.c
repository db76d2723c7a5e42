// All accesses of an atomic section are one unit.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y;
void *work(void *arg) {
    __VERIFIER_atomic_begin();
    x = y;
    y = 2;
    __VERIFIER_atomic_end();
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    y = x;
    return 0;
}
