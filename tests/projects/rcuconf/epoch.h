/* Epochs: readers say when they begin and end to look at shared data, writers wait until all
 * readers that may have seen old data are gone.
 *
 * Each reader has a slot with the epoch in which it began, or 0. Readers never wait. */
#ifndef EPOCH_H
#define EPOCH_H

#include <stdatomic.h>

enum { EPOCH_READERS = 4 };

struct epoch {
    atomic_uint current; /* from 1 */
    atomic_uint readers[EPOCH_READERS];
    atomic_uint registered;
};

void epoch_init(struct epoch *epoch);

/* Gives the slot of a new reader. */
unsigned epoch_register(struct epoch *epoch);

void epoch_enter(struct epoch *epoch, unsigned reader);
void epoch_leave(struct epoch *epoch, unsigned reader);

/* Waits until everybody who was reading when it was called has stopped. */
void epoch_synchronize(struct epoch *epoch);

#endif
