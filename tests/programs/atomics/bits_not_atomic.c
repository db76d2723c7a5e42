// args: --property assertions
// expect: UNSAFE assertions
// Plain |= loses a bit.
#include <assert.h>
#include <pthread.h>

unsigned bits;

void *set(void *arg) {
    bits |= 1u << (long)arg;
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, set, (void *)0);
    pthread_create(&u, 0, set, (void *)1);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(bits == 3); //~ assertions
    return 0;
}
