// args: --property assertions
// expect: UNSAFE assertions
// pthread_exit in main leaves the other threads running.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    assert(x == 0); //~ assertions
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    x = 1;
    pthread_exit(0);
}
