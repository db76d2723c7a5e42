/* A ring without locks from one thread that measures to one that reports.
 *
 * `head` counts what was written, `tail` what was read; both only grow. */
#ifndef RING_H
#define RING_H

#include <stdatomic.h>
#include <stdbool.h>

enum { RING_SIZE = 2 }; /* a power of two */

struct sample {
    unsigned sequence;
    long value;
};

struct ring {
    atomic_uint head, tail;
    atomic_uint lost; /* samples that found no room */
    struct sample samples[RING_SIZE];
};

void ring_init(struct ring *ring);

/* For the thread that measures. Never waits; false if there is no room. */
bool ring_push(struct ring *ring, long value);

/* For the thread that reports; false if there is nothing. */
bool ring_pop(struct ring *ring, struct sample *sample);

unsigned ring_lost(struct ring *ring);

/* How many samples wait; a guess, since both threads go on. */
unsigned ring_level(struct ring *ring);

#endif
