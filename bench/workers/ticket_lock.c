// expect: SAFE
// family: locks and initialisation
// A ticket lock of C11 atomics around a linked list of records: first come, first served.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct {
    atomic_uint next_ticket, now_serving;
} ticket_lock_t;

struct record {
    struct record *next;
    unsigned ticket;
};

static ticket_lock_t lock;
static struct record *records;
static int inside;

static unsigned ticket_acquire(ticket_lock_t *l) {
    unsigned mine = atomic_fetch_add_explicit(&l->next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&l->now_serving, memory_order_acquire) != mine)
        thrd_yield();
    return mine;
}

static void ticket_release(ticket_lock_t *l) {
    unsigned now = atomic_load_explicit(&l->now_serving, memory_order_relaxed);
    atomic_store_explicit(&l->now_serving, now + 1, memory_order_release);
}

static int worker(void *arg) {
    struct record *r = arg;
    r->ticket = ticket_acquire(&lock);
    inside++;
    assert(inside == 1);
    r->next = records;
    records = r;
    inside--;
    ticket_release(&lock);
    return 0;
}

int main(void) {
    thrd_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        thrd_create(&threads[i], worker, malloc(sizeof(struct record)));
    for (int i = 0; i < WORKERS; i++)
        thrd_join(threads[i], NULL);
    unsigned expected = WORKERS;
    while (records) {
        struct record *r = records;
        records = r->next;
        assert(r->ticket == --expected);
        free(r);
    }
    assert(expected == 0);
    return 0;
}
