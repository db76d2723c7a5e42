// expect: SAFE
// family: shared objects
// A document shared by reference counting with atomics: each thread has a reference of its own and may
// take another one from it; whoever drops the last one frees document and text.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct document {
    atomic_int references;
    char *text;
};

static atomic_int documents_alive;

static struct document *document_new(const char *text) {
    struct document *d = malloc(sizeof *d);
    atomic_init(&d->references, 1);
    d->text = malloc(strlen(text) + 1);
    strcpy(d->text, text);
    atomic_fetch_add(&documents_alive, 1);
    return d;
}

static struct document *document_ref(struct document *d) {
    int before = atomic_fetch_add_explicit(&d->references, 1, memory_order_relaxed);
    assert(before > 0);
    return d;
}

static void document_unref(struct document *d) {
    if (atomic_fetch_sub_explicit(&d->references, 1, memory_order_release) != 1)
        return;
    atomic_thread_fence(memory_order_acquire);
    free(d->text);
    free(d);
    atomic_fetch_sub(&documents_alive, 1);
}

static void show(struct document *d) {
    assert(d->text[0] == 'o' && d->text[1] == 'k');
    document_unref(d);
}

static void *viewer(void *arg) {
    struct document *d = arg;
    show(document_ref(d));
    document_unref(d);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    struct document *d = document_new("ok");
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, viewer, document_ref(d));
    document_unref(d);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&documents_alive) == 0);
    return 0;
}
