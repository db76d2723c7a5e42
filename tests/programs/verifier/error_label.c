// args: --property reach-error --error-label ERROR
// expect: UNSAFE reach-error
// The error of early SV-COMP: a label.
#include <pthread.h>

int x;

void *run(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    if (x == 1)
        goto ERROR;
    return 0;
ERROR: //~ reach-error
    return 1;
}
