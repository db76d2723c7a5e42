// args: --property assertions --property races
// expect: SAFE
// A thread starts and joins another one.
#include <assert.h>
#include <pthread.h>

int x;

void *inner(void *arg) {
    x += 2;
    return arg;
}

void *outer(void *arg) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, inner, 0);
    pthread_join(t, 0);
    x *= 10;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, outer, 0);
    pthread_join(t, 0);
    assert(x == 30);
    return 0;
}
