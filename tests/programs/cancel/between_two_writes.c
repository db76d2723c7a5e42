// args: --property assertions
// expect: UNSAFE assertions
// A thread is cancelled between two writes that belong together.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int half, whole;

void *work(void *arg) {
    half = 1;
    usleep(10);
    whole = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    assert(half == whole); //~ assertions
    return 0;
}
