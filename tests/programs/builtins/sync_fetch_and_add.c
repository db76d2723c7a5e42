// args: --property assertions --property races
// expect: SAFE
// __sync_fetch_and_add and __sync_add_and_fetch.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    (void)arg;
    __sync_fetch_and_add(&x, 2);
    return (void *)(long)__sync_add_and_fetch(&x, 1);
}

int main(void) {
    pthread_t t, u;
    void *a, *b;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, &a);
    pthread_join(u, &b);
    assert(x == 6 && ((long)a == 6 || (long)b == 6));
    return 0;
}
