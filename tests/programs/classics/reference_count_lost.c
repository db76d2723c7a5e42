// args: --property leaks
// expect: UNSAFE leaks
// A count that is not atomic: both drop it, nobody sees zero.
#include <pthread.h>
#include <stdlib.h>

struct object {
    int references;
};

void *drop(void *arg) {
    struct object *o = arg;
    if (--o->references == 0)
        free(o);
    return 0;
}

int main(void) {
    pthread_t t;
    struct object *o = malloc(sizeof *o); //~ leaks
    o->references = 2;
    pthread_create(&t, 0, drop, o);
    drop(o);
    pthread_join(t, 0);
    return 0;
}
