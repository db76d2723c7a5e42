// args: --property assertions --property races
// expect: SAFE
// Atomic increments are not lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *run(void *arg) {
    atomic_fetch_add(&x, 1);
    x++;
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 4);
    return 0;
}
