// args: --property locks
// expect: UNSAFE locks
// A thread that is joined can no longer be cancelled.
#include <pthread.h>

void *work(void *arg) { return arg; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    pthread_cancel(t); //~ locks
    return 0;
}
