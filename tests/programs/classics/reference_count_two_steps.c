// expect: UNSAFE memory
// The test after the decrement reads the count again, when the object may be gone.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};

void drop(struct object *o) {
    o->references--;
    if (o->references == 0) //~ memory
        free(o);            //~ memory
}

void *run(void *arg) {
    drop(arg);
    return 0;
}

int main(void) {
    pthread_t t;
    struct object *o = malloc(sizeof *o);
    o->references = 2;
    pthread_create(&t, 0, run, o);
    drop(o);
    pthread_join(t, 0);
    return 0;
}
