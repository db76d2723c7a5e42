// args: --property assertions
// expect: SAFE
// One of two unprotected increments always survives.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    x++;
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 1 || x == 2);
    return 0;
}
