// args: --property assertions
// expect: UNKNOWN
// A thread that can be cancelled anywhere is not modelled.
#include <assert.h>
#include <pthread.h>

void *work(void *arg) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    for (;;)
        ;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    assert(1);
    return 0;
}
