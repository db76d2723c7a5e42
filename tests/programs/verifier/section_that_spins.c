// args: --property deadlocks
// A section that goes round for ever is not completed: the thread waits before it, and main for the thread.
// expect: UNSAFE deadlocks
// expect lazy, circuit: UNKNOWN (a section that waits after a step of its own is not modelled)
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int begun, flag;

void *work(void *arg) {
    __VERIFIER_atomic_begin();
    begun = 1;
    while (!flag) //~ deadlocks
        ;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0); //~ deadlocks
    return 0;
}
