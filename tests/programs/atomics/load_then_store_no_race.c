// args: --property races
// expect: SAFE
// It is no data race either.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *run(void *arg) {
    atomic_store(&x, atomic_load(&x) + 1);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return x;
}
