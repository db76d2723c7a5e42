// expect: UNSAFE memory
// family: read-copy-update
// Read-copy-update with two counters of readers whose grace period turns the index over only once: a
// reader that has read the index long ago counts itself on the side that nobody waits for.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define UPDATES 2

typedef struct table {
    int size;
    int first;
} table_t;

static _Atomic(table_t *) published;
static atomic_int phase;
static atomic_int in_phase[2];
static int seen[WORKERS];

static table_t *table_new(int first) {
    table_t *t = malloc(sizeof *t);
    t->size = 1;
    t->first = first;
    return t;
}

static void wait_for_readers(void) {
    int old = atomic_load(&phase);
    atomic_store(&phase, 1 - old);
    while (atomic_load(&in_phase[old]) > 0)
        ;
}

static void publish(int first) {
    table_t *old = atomic_load(&published);
    atomic_store(&published, table_new(first));
    wait_for_readers();
    free(old);
}

static void *reader(void *arg) {
    int *result = arg;
    int p = atomic_load(&phase);
    atomic_fetch_add(&in_phase[p], 1);
    table_t *t = atomic_load(&published);
    if (t->size > 0) //~ memory
        *result = t->first; //~ memory
    atomic_fetch_sub(&in_phase[p], 1);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    atomic_store(&published, table_new(1));
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, reader, &seen[i]);
    for (int i = 0; i < UPDATES; i++)
        publish(2 + i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    free(atomic_load(&published));
    return 0;
}
