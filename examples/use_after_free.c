/*
 * A session shared by a worker and by main, with counted references. `release` drops one with an
 * atomic operation but then reads the counter again to decide who frees: one thread frees while the
 * other still looks, or both free.
 *
 *     raddle check --property memory examples/use_after_free.c
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct session {
    atomic_int references;
    int requests;
};

static void release(struct session *s) {
    atomic_fetch_sub(&s->references, 1);
    if (atomic_load(&s->references) == 0) { /* should test what fetch_sub returned */
        free(s);
    }
}

static void *worker(void *argument) {
    struct session *s = argument;
    s->requests = 1;
    release(s);
    return 0;
}

int main(void) {
    pthread_t thread;
    struct session *s = malloc(sizeof *s);
    atomic_init(&s->references, 2);
    s->requests = 0;
    pthread_create(&thread, 0, worker, s);
    release(s);
    pthread_join(thread, 0);
    return 0;
}
