// expect: SAFE
// family: lock-free queues
// A bounded ring for many producers and consumers, with a sequence number in each cell that says whose
// turn it is. Each worker puts one value in and takes one out.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <threads.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define CELLS 2u

struct cell {
    atomic_uint sequence;
    int data;
};

static struct cell cells[CELLS];
static atomic_uint enqueue_at, dequeue_at;
static int got[WORKERS];

static bool try_enqueue(int data) {
    unsigned at = atomic_load_explicit(&enqueue_at, memory_order_relaxed);
    for (;;) {
        struct cell *c = &cells[at % CELLS];
        int turn = (int)(atomic_load_explicit(&c->sequence, memory_order_acquire) - at);
        if (turn < 0)
            return false;
        if (turn > 0) {
            at = atomic_load_explicit(&enqueue_at, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong(&enqueue_at, &at, at + 1)) {
            c->data = data;
            atomic_store_explicit(&c->sequence, at + 1, memory_order_release);
            return true;
        }
    }
}

static bool try_dequeue(int *data) {
    unsigned at = atomic_load_explicit(&dequeue_at, memory_order_relaxed);
    for (;;) {
        struct cell *c = &cells[at % CELLS];
        int turn = (int)(atomic_load_explicit(&c->sequence, memory_order_acquire) - (at + 1));
        if (turn < 0)
            return false;
        if (turn > 0) {
            at = atomic_load_explicit(&dequeue_at, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong(&dequeue_at, &at, at + 1)) {
            *data = c->data;
            atomic_store_explicit(&c->sequence, at + CELLS, memory_order_release);
            return true;
        }
    }
}

static int worker(void *arg) {
    int *mine = arg;
    while (!try_enqueue((int)(mine - got) + 1))
        thrd_yield();
    while (!try_dequeue(mine))
        thrd_yield();
    return 0;
}

int main(void) {
    thrd_t threads[WORKERS];
    for (unsigned i = 0; i < CELLS; i++)
        atomic_init(&cells[i].sequence, i);
    for (int i = 0; i < WORKERS; i++)
        thrd_create(&threads[i], worker, &got[i]);
    int sum = 0;
    for (int i = 0; i < WORKERS; i++) {
        thrd_join(threads[i], 0);
        sum += got[i];
    }
    assert(sum == WORKERS * (WORKERS + 1) / 2);
    return 0;
}
