// args: --property assertions
// expect: SAFE
// expect staged, context, unwinding: UNKNOWN (an atomic section that begins in several places)
// Nobody sees what either branch wrote: the section goes on after them.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, choice;

void *run(void *arg) {
    if (choice) {
        __VERIFIER_atomic_begin();
        x = 1;
    } else {
        __VERIFIER_atomic_begin();
        x = 2;
    }
    x = 0;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    choice = 1;
    int seen = x;
    assert(seen == 0);
    pthread_join(t, 0);
    return 0;
}
