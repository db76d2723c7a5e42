// An atomic section that stops has written nothing: its writes occur only where it is completed.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int x, y, z;
void *work(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_assume(y > 0);
    z = 1;
    __VERIFIER_assume(y < 9);
    __VERIFIER_atomic_end();
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    y = 5;
    return x + z;
}
