// args: --property reach-error
// expect: UNSAFE reach-error
// reach_error is reached.
#include <pthread.h>

extern void abort(void);
void reach_error(void) { abort(); }

int x;

void *run(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    if (x == 1)
        reach_error(); //~ reach-error
    pthread_join(t, 0);
    return 0;
}
