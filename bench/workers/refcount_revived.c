// expect: UNSAFE memory
// family: shared objects
// A cache slot with a counted object: readers load the pointer and then count themselves, but in between
// the last reference may be dropped.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct blob {
    atomic_int references;
    int size;
} blob_t;

static _Atomic(blob_t *) slot;
static int sizes[WORKERS];

static blob_t *blob_new(int size) {
    blob_t *b = malloc(sizeof *b);
    atomic_init(&b->references, 1);
    b->size = size;
    return b;
}

static void blob_drop(blob_t *b) {
    if (atomic_fetch_sub(&b->references, 1) == 1) //~ memory
        free(b); //~ memory
}

static blob_t *slot_get(void) {
    blob_t *b = atomic_load(&slot);
    if (b)
        atomic_fetch_add(&b->references, 1); //~ memory
    return b;
}

static void slot_set(blob_t *b) {
    blob_t *old = atomic_exchange(&slot, b);
    if (old)
        blob_drop(old);
}

static void *reader(void *arg) {
    int *size = arg;
    blob_t *b = slot_get();
    if (b) {
        *size = b->size; //~ memory
        blob_drop(b);
    }
    return NULL;
}

int main(void) {
    pthread_t readers[WORKERS];
    slot_set(blob_new(1));
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&readers[i], NULL, reader, &sizes[i]);
    slot_set(blob_new(2));
    for (int i = 0; i < WORKERS; i++)
        pthread_join(readers[i], NULL);
    slot_set(NULL);
    return 0;
}
