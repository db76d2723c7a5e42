// A thread that is cancelled in the function has never called it: the next one does.
// args: --property assertions,deadlocks
// expect: SAFE
#include <assert.h>
#include <pthread.h>

pthread_once_t control = PTHREAD_ONCE_INIT;
int made;

void make(void) {
    pthread_testcancel();
    made++;
}

void *first(void *arg) {
    pthread_once(&control, make);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, first, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    pthread_once(&control, make);
    assert(made == 1);
    return 0;
}
