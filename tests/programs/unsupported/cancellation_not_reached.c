// args: --property assertions
// expect: SAFE
// What is not reached does no harm.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    if (x)
        pthread_cancel(t);
    pthread_join(t, 0);
    assert(x == 0);
    return 0;
}
