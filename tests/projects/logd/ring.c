#include "ring.h"

#include <string.h>

void ring_init(struct ring *ring) {
    memset(ring, 0, sizeof *ring);
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->not_empty, NULL);
    pthread_cond_init(&ring->not_full, NULL);
}

void ring_destroy(struct ring *ring) {
    pthread_cond_destroy(&ring->not_full);
    pthread_cond_destroy(&ring->not_empty);
    pthread_mutex_destroy(&ring->lock);
}

bool ring_put(struct ring *ring, const struct record *record) {
    bool taken = false;
    pthread_mutex_lock(&ring->lock);
    while (ring->count == RING_SLOTS && !ring->closed) {
        if (record->level == LEVEL_DEBUG) {
            ring->dropped++;
            pthread_mutex_unlock(&ring->lock);
            return true;
        }
        pthread_cond_wait(&ring->not_full, &ring->lock);
    }
    if (!ring->closed) {
        ring->slots[(ring->head + ring->count) % RING_SLOTS] = *record;
        ring->count++;
        taken = true;
        pthread_cond_signal(&ring->not_empty);
    }
    pthread_mutex_unlock(&ring->lock);
    return taken;
}

bool ring_get(struct ring *ring, struct record *record) {
    pthread_mutex_lock(&ring->lock);
    while (ring->count == 0 && !ring->closed)
        pthread_cond_wait(&ring->not_empty, &ring->lock);
    bool found = ring->count != 0;
    if (found) {
        *record = ring->slots[ring->head];
        ring->head = (ring->head + 1) % RING_SLOTS;
        ring->count--;
        pthread_cond_signal(&ring->not_full);
    }
    pthread_mutex_unlock(&ring->lock);
    return found;
}

void ring_close(struct ring *ring) {
    pthread_mutex_lock(&ring->lock);
    ring->closed = true;
    pthread_cond_broadcast(&ring->not_empty);
    pthread_cond_broadcast(&ring->not_full);
    pthread_mutex_unlock(&ring->lock);
}
