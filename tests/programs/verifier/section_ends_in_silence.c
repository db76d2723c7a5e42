// Where a section ends after a loop that nobody can notice, others may go on before the thread does.
// expect: UNSAFE assertions
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

void *work(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    for (int i = 0; i < 3; i++)
        ;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    __VERIFIER_atomic_begin();
    int a = x, b = y;
    __VERIFIER_atomic_end();
    assert(a == b); //~ assertions
    return 0;
}
