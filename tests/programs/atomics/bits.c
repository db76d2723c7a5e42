// args: --property assertions --property races
// expect: SAFE
// fetch_or, fetch_and and fetch_xor on one word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint bits = 8;

void *set(void *arg) {
    atomic_fetch_or(&bits, 1u << (long)arg);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, set, (void *)0);
    pthread_create(&u, 0, set, (void *)1);
    atomic_fetch_and(&bits, ~8u);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(bits == 3);
    unsigned old = atomic_fetch_xor(&bits, 5);
    assert(old == 3 && bits == 6);
    return 0;
}
