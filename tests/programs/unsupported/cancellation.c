// args: --property assertions
// expect: UNKNOWN
// pthread_cancel is not modelled, and it is reached.
#include <assert.h>
#include <pthread.h>

void *run(void *arg) {
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    assert(1);
    return 0;
}
