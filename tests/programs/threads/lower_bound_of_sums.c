// args: --property assertions
// expect: UNSAFE assertions
// Two threads add 1 twice each, unprotected: as little as 2 may come out.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    for (int i = 0; i < 2; i++)
        x++;
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x > 2); //~ assertions
    return 0;
}
