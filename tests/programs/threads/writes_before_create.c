// args: --property assertions --property races
// expect: SAFE
// What was written before pthread_create is seen by the new thread.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    assert(x == 5);
    return arg;
}

int main(void) {
    pthread_t t;
    x = 5;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
