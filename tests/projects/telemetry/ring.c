#include "ring.h"

void ring_init(struct ring *ring) {
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
    atomic_init(&ring->lost, 0);
}

bool ring_push(struct ring *ring, long value) {
    unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    unsigned tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    if (head - tail == RING_SIZE) {
        atomic_fetch_add_explicit(&ring->lost, 1, memory_order_relaxed);
        return false;
    }
    struct sample *slot = &ring->samples[head % RING_SIZE];
#ifdef BUG
    /* Published before it is written. */
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    slot->sequence = head;
    slot->value = value;
#else
    slot->sequence = head;
    slot->value = value;
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
#endif
    return true;
}

bool ring_pop(struct ring *ring, struct sample *sample) {
    unsigned tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    unsigned head = atomic_load_explicit(&ring->head, memory_order_acquire);
    if (head == tail)
        return false;
    *sample = ring->samples[tail % RING_SIZE];
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
    return true;
}

unsigned ring_lost(struct ring *ring) {
    return atomic_load_explicit(&ring->lost, memory_order_relaxed);
}

unsigned ring_level(struct ring *ring) {
    unsigned tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    unsigned head = atomic_load_explicit(&ring->head, memory_order_acquire);
    return head - tail;
}
