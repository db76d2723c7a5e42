// expect: SAFE
// family: locks and initialisation
// A sequence lock: the writer makes the number odd while it writes; readers read again if it was odd
// or has changed. The data are atomics, since readers may look at any time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define UPDATES 2

static struct {
    atomic_uint sequence;
    atomic_int low, high;
} range = {.low = 0, .high = 10};

struct pair {
    int low, high;
};

static void write_range(int low) {
    unsigned s = atomic_load_explicit(&range.sequence, memory_order_relaxed);
    atomic_store_explicit(&range.sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&range.low, low, memory_order_relaxed);
    atomic_store_explicit(&range.high, low + 10, memory_order_relaxed);
    atomic_store_explicit(&range.sequence, s + 2, memory_order_release);
}

static struct pair read_range(void) {
    struct pair p;
    unsigned before, after;
    do {
        before = atomic_load_explicit(&range.sequence, memory_order_acquire);
        p.low = atomic_load_explicit(&range.low, memory_order_relaxed);
        p.high = atomic_load_explicit(&range.high, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&range.sequence, memory_order_relaxed);
    } while (before % 2 != 0 || before != after);
    return p;
}

static void *reader(void *arg) {
    (void)arg;
    struct pair p = read_range();
    assert(p.high - p.low == 10);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, reader, 0);
    for (int i = 1; i <= UPDATES; i++)
        write_range(100 * i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    struct pair last = read_range();
    assert(last.low == 100 * UPDATES);
    return 0;
}
