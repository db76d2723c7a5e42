// A section that a bound cuts off has no end: what it wrote before does not occur on that path.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, n;
void *work(void *arg) {
    int rounds = n;
    __VERIFIER_atomic_begin();
    x = 1;
    for (int i = 0; i < rounds; i++)
        ;
    y = 1;
    __VERIFIER_atomic_end();
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    n = 5;
    return x + y;
}
