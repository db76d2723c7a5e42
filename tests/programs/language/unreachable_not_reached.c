// args: --property assertions
// expect: SAFE
// The promise is kept.
#include <pthread.h>

_Atomic int state;

void *run(void *arg) {
    state = 2;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    switch (state) {
    case 0:
    case 2:
        break;
    default:
        __builtin_unreachable();
    }
    pthread_join(t, 0);
    return 0;
}
