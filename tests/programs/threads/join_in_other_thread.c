// args: --property assertions --property races
// expect: SAFE
// A thread that did not create another one joins it.
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_t worker;

void *work(void *arg) {
    x = 3;
    return arg;
}

void *collect(void *arg) {
    pthread_join(worker, 0);
    y = x + 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&t, 0, collect, 0);
    pthread_join(t, 0);
    assert(y == 4);
    return 0;
}
