// expect: SAFE
// family: read-copy-update
// Hazard pointers: a reader publishes what it is about to use and looks again; the writer keeps what it
// retired until no hazard names it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define UPDATES 2

struct node {
    int a, b;
};

static _Atomic(struct node *) shared;
static _Atomic(struct node *) hazard[WORKERS];
static struct node *retired[UPDATES];
static int retired_count;

static struct node *node_new(int a) {
    struct node *n = malloc(sizeof *n);
    n->a = a;
    n->b = -a;
    return n;
}

static struct node *protect(int me) {
    struct node *n = atomic_load(&shared);
    for (;;) {
        atomic_store(&hazard[me], n);
        struct node *again = atomic_load(&shared);
        if (again == n)
            return n;
        n = again;
    }
}

static bool in_use(struct node *n) {
    for (int i = 0; i < WORKERS; i++)
        if (atomic_load(&hazard[i]) == n)
            return true;
    return false;
}

static void scan(void) {
    int kept = 0;
    for (int i = 0; i < retired_count; i++) {
        if (in_use(retired[i]))
            retired[kept++] = retired[i];
        else
            free(retired[i]);
    }
    retired_count = kept;
}

static void *reader(void *arg) {
    int me = (int)(long)arg;
    struct node *n = protect(me);
    assert(n->a + n->b == 0);
    atomic_store(&hazard[me], NULL);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    atomic_store(&shared, node_new(1));
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, reader, (void *)i);
    for (int i = 0; i < UPDATES; i++) {
        retired[retired_count++] = atomic_exchange(&shared, node_new(2 + i));
        scan();
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    scan();
    assert(retired_count == 0);
    free(atomic_load(&shared));
    return 0;
}
