// args: --property races
// expect: UNSAFE races
#include <pthread.h>

volatile int done;

void *work(void *arg) {
    done = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    while (!done) { //~ races
    }
    return 0;
}
