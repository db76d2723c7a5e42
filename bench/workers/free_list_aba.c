// expect: UNSAFE assertions
// family: lock-free queues
// A lock-free list of free blocks by index, without a counter: between a thread's look at the first
// block and its exchange, others take two blocks and give the first back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define BLOCKS (WORKERS + 2)
#define NONE (-1)

static atomic_int first_free;
static atomic_int next_free[BLOCKS];
static atomic_int owners[BLOCKS];

static int allocate(void) {
    int block = atomic_load(&first_free);
    for (;;) {
        if (block == NONE)
            return NONE;
        int next = atomic_load(&next_free[block]);
        if (atomic_compare_exchange_strong(&first_free, &block, next))
            break;
    }
    int before = atomic_fetch_add(&owners[block], 1);
    assert(before == 0); //~ assertions
    return block;
}

static void release(int block) {
    atomic_fetch_sub(&owners[block], 1);
    int first = atomic_load(&first_free);
    do
        atomic_store(&next_free[block], first);
    while (!atomic_compare_exchange_strong(&first_free, &first, block));
}

static void *worker(void *arg) {
    (void)arg;
    int block = allocate();
    if (block != NONE)
        release(block);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < BLOCKS; i++)
        atomic_init(&next_free[i], i + 1 < BLOCKS ? i + 1 : NONE);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    int one = allocate();
    int two = allocate();
    if (one != NONE)
        release(one);
    int three = allocate();
    int four = allocate();
    assert(two == NONE || (two != three && two != four));
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
