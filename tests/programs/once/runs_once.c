// args: --property assertions --property races
// expect: SAFE
// The function runs once and is complete when pthread_once returns.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int x;

void initialise(void) {
    x++;
}

void *run(void *arg) {
    pthread_once(&once, initialise);
    assert(x == 1);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
