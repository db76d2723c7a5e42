// expect: SAFE
// family: read-copy-update
// Read-copy-update with quiescent states: a list is read without locks; a deleted element goes to
// a list of deferred frees, which is worked off when every reader has passed a quiescent state.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define ELEMENTS 2

struct element {
    _Atomic(struct element *) next;
    int key;
    struct element *deferred;
};

static _Atomic(struct element *) list;
static atomic_int passed[WORKERS];
static struct element *deferred;

static void insert(int key) {
    struct element *e = malloc(sizeof *e);
    e->key = key;
    atomic_init(&e->next, atomic_load(&list));
    atomic_store_explicit(&list, e, memory_order_release);
}

static void delete(int key) {
    _Atomic(struct element *) *place = &list;
    struct element *e;
    while ((e = atomic_load(place)) && e->key != key)
        place = &e->next;
    assert(e);
    atomic_store(place, atomic_load(&e->next));
    e->deferred = deferred;
    deferred = e;
}

static void reclaim(void) {
    for (int i = 0; i < WORKERS; i++)
        while (!atomic_load_explicit(&passed[i], memory_order_acquire))
            ;
    while (deferred) {
        struct element *e = deferred;
        deferred = e->deferred;
        free(e);
    }
}

static void *reader(void *arg) {
    atomic_int *quiescent = arg;
    int sum = 0;
    struct element *e = atomic_load_explicit(&list, memory_order_acquire);
    while (e) {
        sum += e->key;
        e = atomic_load_explicit(&e->next, memory_order_acquire);
    }
    assert(sum == 3 || sum == 1);
    atomic_store_explicit(quiescent, 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < ELEMENTS; i++)
        insert(i + 1);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, reader, &passed[i]);
    delete(2);
    reclaim();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    assert(atomic_load(&list)->key == 1 && !atomic_load(&atomic_load(&list)->next));
    free(atomic_load(&list));
    return 0;
}
