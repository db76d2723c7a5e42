// args: --property assertions --property races
// expect: SAFE
// What a thread wrote is seen after it was joined.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(x == 1);
    return 0;
}
