// expect: SAFE
// family: work stealing
// The lock-free deque of Chase and Lev, of fixed size: the owner pushes and pops at the bottom,
// WORKERS thieves try once each to steal at the top. No item is taken twice or lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define ITEMS 2
#define EMPTY (-1)

static struct {
    atomic_long top, bottom;
    atomic_int slots[ITEMS];
} deque;

static int taken_by_owner[ITEMS];
static int stolen[WORKERS];

static void push(int item) {
    long b = atomic_load_explicit(&deque.bottom, memory_order_relaxed);
    atomic_store_explicit(&deque.slots[b % ITEMS], item, memory_order_relaxed);
    atomic_store_explicit(&deque.bottom, b + 1, memory_order_release);
}

static int pop(void) {
    long b = atomic_load_explicit(&deque.bottom, memory_order_relaxed) - 1;
    atomic_store(&deque.bottom, b);
    long t = atomic_load(&deque.top);
    if (t > b) {
        atomic_store_explicit(&deque.bottom, b + 1, memory_order_relaxed);
        return EMPTY;
    }
    int item = atomic_load_explicit(&deque.slots[b % ITEMS], memory_order_relaxed);
    if (t == b) {
        if (!atomic_compare_exchange_strong(&deque.top, &t, t + 1))
            item = EMPTY;
        atomic_store_explicit(&deque.bottom, b + 1, memory_order_relaxed);
    }
    return item;
}

static int steal(void) {
    long t = atomic_load_explicit(&deque.top, memory_order_acquire);
    long b = atomic_load_explicit(&deque.bottom, memory_order_acquire);
    if (t >= b)
        return EMPTY;
    int item = atomic_load_explicit(&deque.slots[t % ITEMS], memory_order_relaxed);
    if (!atomic_compare_exchange_strong(&deque.top, &t, t + 1))
        return EMPTY;
    return item;
}

static void *thief(void *arg) {
    int *mine = arg;
    *mine = steal();
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, thief, &stolen[i]);
    for (int i = 0; i < ITEMS; i++)
        push(i);
    for (int i = 0; i < ITEMS; i++) {
        int item = pop();
        if (item != EMPTY)
            taken_by_owner[item]++;
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    int total[ITEMS] = {0};
    for (int i = 0; i < ITEMS; i++)
        total[i] = taken_by_owner[i];
    for (int i = 0; i < WORKERS; i++)
        if (stolen[i] != EMPTY)
            total[stolen[i]]++;
    for (int i = 0; i < ITEMS; i++)
        assert(total[i] == 1);
    return 0;
}
