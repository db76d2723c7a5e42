// args: --property memory --property leaks --property races
// expect: SAFE
// Who drops the last reference frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int value;
};

void drop(struct object *o) {
    if (atomic_fetch_sub(&o->references, 1) == 1)
        free(o);
}

void *run(void *arg) {
    struct object *o = arg;
    int value = o->value;
    drop(o);
    return (void *)(long)value;
}

int main(void) {
    pthread_t t;
    struct object *o = malloc(sizeof *o);
    o->references = 2;
    o->value = 7;
    pthread_create(&t, 0, run, o);
    run(o);
    pthread_join(t, 0);
    return 0;
}
