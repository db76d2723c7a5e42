// args: --property assertions --property races
// expect: SAFE
// Atomics of 8, 16 and 64 bits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uchar c = 255;
atomic_short s = -1;
atomic_llong l = 1ll << 40;

void *run(void *arg) {
    c++;
    s += 2;
    l -= 1;
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(c == 1 && s == 3 && l == (1ll << 40) - 2);
    return 0;
}
