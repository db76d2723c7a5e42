// args: --property assertions --property races --property memory --property leaks --property locks
// expect: SAFE
// A counter with its mutex, on the heap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

void *run(void *arg) {
    struct counter *c = arg;
    pthread_mutex_lock(&c->lock);
    c->value++;
    pthread_mutex_unlock(&c->lock);
    return 0;
}

int main(void) {
    pthread_t t;
    struct counter *c = malloc(sizeof *c);
    pthread_mutex_init(&c->lock, 0);
    c->value = 0;
    pthread_create(&t, 0, run, c);
    run(c);
    pthread_join(t, 0);
    assert(c->value == 2);
    pthread_mutex_destroy(&c->lock);
    free(c);
    return 0;
}
