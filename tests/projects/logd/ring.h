/* A bounded buffer of log records between the threads that log and the one that writes. */
#ifndef RING_H
#define RING_H

#include <pthread.h>
#include <stdbool.h>

enum { RING_SLOTS = 2, TEXT_SIZE = 24 };

enum level { LEVEL_DEBUG, LEVEL_INFO, LEVEL_ERROR };

struct record {
    enum level level;
    unsigned source;
    char text[TEXT_SIZE];
};

struct ring {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    struct record slots[RING_SLOTS];
    unsigned head, count;
    unsigned dropped;
    bool closed;
};

void ring_init(struct ring *ring);
void ring_destroy(struct ring *ring);

/* Waits for room; debug records are dropped instead. False if the ring is closed. */
bool ring_put(struct ring *ring, const struct record *record);

/* Waits for a record; false when the ring is closed and empty. */
bool ring_get(struct ring *ring, struct record *record);

void ring_close(struct ring *ring);

#endif
