// expect: UNSAFE races, assertions
// expect WORKERS=1: SAFE
// family: lock-free queues
// A ring for one producer and one consumer that several producers share.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define CAPACITY (WORKERS + 1)

static struct {
    int slots[CAPACITY];
    atomic_int read_at, write_at;
} ring;

static bool push(int value) {
    int at = atomic_load_explicit(&ring.write_at, memory_order_relaxed);
    int next = (at + 1) % CAPACITY;
    if (next == atomic_load_explicit(&ring.read_at, memory_order_acquire))
        return false;
    ring.slots[at] = value; //~ races
    atomic_store_explicit(&ring.write_at, next, memory_order_release);
    return true;
}

static bool pop(int *value) {
    int at = atomic_load_explicit(&ring.read_at, memory_order_relaxed);
    if (at == atomic_load_explicit(&ring.write_at, memory_order_acquire))
        return false;
    *value = ring.slots[at]; //~ races
    atomic_store_explicit(&ring.read_at, (at + 1) % CAPACITY, memory_order_release);
    return true;
}

static void *producer(void *arg) {
    bool fits = push((int)(long)arg);
    assert(fits); //~ assertions
    return 0;
}

int main(void) {
    pthread_t producers[WORKERS];
    int sum = 0, value;
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&producers[i], 0, producer, (void *)(i + 1));
    if (pop(&value))
        sum += value;
    for (int i = 0; i < WORKERS; i++)
        pthread_join(producers[i], 0);
    while (pop(&value))
        sum += value;
    assert(sum == WORKERS * (WORKERS + 1) / 2); //~ assertions
    return 0;
}
