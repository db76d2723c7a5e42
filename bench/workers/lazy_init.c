// expect: SAFE
// family: locks and initialisation
// Lazy initialisation in two ways: a table by call_once, and an instance by double-checked locking with
// an atomic pointer. Each is made once, and everybody sees it complete.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define SIZE 3

struct instance {
    int table_end;
    int made_by;
};

static once_flag table_once = ONCE_FLAG_INIT;
static int table[SIZE];
static int tables_made;

static mtx_t instance_lock;
static _Atomic(struct instance *) instance;
static int instances_made;

static void make_table(void) {
    for (int i = 0; i < SIZE; i++)
        table[i] = i * i;
    tables_made++;
}

static const int *get_table(void) {
    call_once(&table_once, make_table);
    return table;
}

static struct instance *get_instance(int me) {
    struct instance *p = atomic_load_explicit(&instance, memory_order_acquire);
    if (!p) {
        mtx_lock(&instance_lock);
        p = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!p) {
            p = malloc(sizeof *p);
            p->table_end = get_table()[SIZE - 1];
            p->made_by = me;
            instances_made++;
            atomic_store_explicit(&instance, p, memory_order_release);
        }
        mtx_unlock(&instance_lock);
    }
    return p;
}

static int worker(void *arg) {
    int me = (int)(long)arg;
    assert(get_instance(me)->table_end == (SIZE - 1) * (SIZE - 1));
    assert(get_table()[1] == 1);
    return 0;
}

int main(void) {
    thrd_t threads[WORKERS];
    mtx_init(&instance_lock, mtx_plain);
    for (long i = 0; i < WORKERS; i++)
        thrd_create(&threads[i], worker, (void *)(i + 1));
    for (int i = 0; i < WORKERS; i++)
        thrd_join(threads[i], NULL);
    assert(tables_made == 1 && instances_made == 1);
    assert(instance->made_by >= 1 && instance->made_by <= WORKERS);
    free(instance);
    mtx_destroy(&instance_lock);
    return 0;
}
