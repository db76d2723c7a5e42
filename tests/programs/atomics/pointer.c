// args: --property assertions --property races --property memory
// expect: SAFE
// An atomic pointer hands over an object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct message {
    int value;
};

struct message only;
_Atomic(struct message *) box;

void *run(void *arg) {
    only.value = 3;
    atomic_store(&box, &only);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    struct message *m = atomic_load(&box);
    if (m)
        assert(m->value == 3);
    pthread_join(t, 0);
    return 0;
}
