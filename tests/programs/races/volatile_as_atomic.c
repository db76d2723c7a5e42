// args: --property races --volatile-is-atomic
// expect: UNSAFE races
// The flag is called atomic, the data behind it are not protected in time.
#include <pthread.h>

volatile int done;
int result;

void *work(void *arg) {
    done = 1;
    result = 7; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    while (!done) {
    }
    return result; //~ races
}
