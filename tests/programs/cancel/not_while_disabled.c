// args: --property assertions
// expect: SAFE
// A thread that has switched cancellation off finishes what it does.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int half, whole;

void *work(void *arg) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    half = 1;
    sleep(1);
    whole = 1;
    pthread_setcancelstate(old, 0);
    return arg;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(half == whole && whole == 1 && result != PTHREAD_CANCELED);
    return 0;
}
