// args: --property reach-error
// expect: SAFE
// It is not.
#include <pthread.h>

extern void __VERIFIER_error(void);

int x;

void *run(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    if (x != 1)
        __VERIFIER_error();
    return 0;
}
