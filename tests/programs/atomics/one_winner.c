// args: --property assertions
// expect: SAFE
// Of two compare-exchanges from the same value one succeeds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int owner;

void *run(void *arg) {
    int nobody = 0;
    int won = atomic_compare_exchange_strong(&owner, &nobody, (int)(long)arg);
    return (void *)(long)won;
}

int main(void) {
    pthread_t t, u;
    void *a, *b;
    pthread_create(&t, 0, run, (void *)1);
    pthread_create(&u, 0, run, (void *)2);
    pthread_join(t, &a);
    pthread_join(u, &b);
    assert((long)a + (long)b == 1);
    assert(owner == (a ? 1 : 2));
    return 0;
}
