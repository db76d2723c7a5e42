// expect: SAFE
// family: lock-free queues
// Treiber's stack: each worker pushes a node of its own and pops one, which it keeps. No node is
// pushed twice, so there is no ABA problem. Nothing is lost and nothing popped twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct node {
    struct node *below;
    int owner;
} node_t;

static _Atomic(node_t *) top = NULL;
static node_t *kept[WORKERS];

static void push(node_t *n) {
    n->below = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &n->below, n, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

static node_t *pop(void) {
    node_t *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_weak_explicit(&top, &n, n->below, memory_order_acq_rel,
                                                       memory_order_acquire))
        ;
    return n;
}

static void *worker(void *arg) {
    int me = (int)(long)arg;
    node_t *n = malloc(sizeof *n);
    n->owner = me;
    push(n);
    kept[me] = pop();
    assert(kept[me]);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    int count[WORKERS] = {0};
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(!atomic_load(&top));
    for (int i = 0; i < WORKERS; i++) {
        count[kept[i]->owner]++;
        free(kept[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        assert(count[i] == 1);
    return 0;
}
