// args: --property assertions --property races
// expect: SAFE
// An atomic structure that needs library calls.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct triple {
    int a, b, c;
};

_Atomic struct triple p;

void *run(void *arg) {
    struct triple mine = {1, 1, 1};
    atomic_store(&p, mine);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    struct triple seen = atomic_load(&p);
    assert(seen.a == seen.b && seen.b == seen.c);
    pthread_join(t, 0);
    return 0;
}
