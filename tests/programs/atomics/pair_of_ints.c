// args: --property assertions --property races
// expect: SAFE
// An atomic structure of two ints is read and written as a whole.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int a, b;
};

_Atomic struct pair p;

void *run(void *arg) {
    struct pair mine = {1, 1};
    atomic_store(&p, mine);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    struct pair seen = atomic_load(&p);
    assert(seen.a == seen.b);
    pthread_join(t, 0);
    return 0;
}
