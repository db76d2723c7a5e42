// expect: SAFE
// family: lock-free queues
// A ring with one producer and one consumer for each worker; main polls all of them until everything
// has arrived. Values of one worker keep their order.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define CAPACITY 2
#define MESSAGES 2

struct ring {
    atomic_uint head; // the consumer's
    atomic_uint tail; // the producer's
    int slot[CAPACITY];
};

static struct ring rings[WORKERS];

static bool ring_push(struct ring *r, int value) {
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    unsigned head = atomic_load_explicit(&r->head, memory_order_acquire);
    if (tail - head == CAPACITY)
        return false;
    r->slot[tail % CAPACITY] = value;
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
    return true;
}

static bool ring_pop(struct ring *r, int *value) {
    unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_acquire);
    if (head == tail)
        return false;
    *value = r->slot[head % CAPACITY];
    atomic_store_explicit(&r->head, head + 1, memory_order_release);
    return true;
}

static void *producer(void *arg) {
    struct ring *mine = arg;
    for (int i = 0; i < MESSAGES; i++)
        while (!ring_push(mine, i))
            sched_yield();
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    int expected[WORKERS] = {0};
    int received = 0;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, producer, &rings[i]);
    while (received < MESSAGES * WORKERS) {
        for (int i = 0; i < WORKERS; i++) {
            int value;
            if (!ring_pop(&rings[i], &value))
                continue;
            assert(value == expected[i]);
            expected[i]++;
            received++;
        }
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
