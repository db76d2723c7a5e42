// args: --property assertions
// expect: SAFE
// A 64-bit counter, also where a word has 32 bits.
#include <assert.h>
#include <pthread.h>

unsigned long long x = 0xffffffffull;

void *run(void *arg) {
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 0x100000001ull);
    return 0;
}
