// args: --property assertions
// expect: SAFE
// Each value that is exchanged in comes out once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x = 1;

void *run(void *arg) {
    return (void *)(long)atomic_exchange(&x, (int)(long)arg);
}

int main(void) {
    pthread_t t, u;
    void *a, *b;
    pthread_create(&t, 0, run, (void *)2);
    pthread_create(&u, 0, run, (void *)4);
    pthread_join(t, &a);
    pthread_join(u, &b);
    assert((long)a + (long)b + x == 7);
    return 0;
}
