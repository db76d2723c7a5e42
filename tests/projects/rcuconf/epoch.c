#include "epoch.h"

#include <assert.h>
#include <sched.h>

void epoch_init(struct epoch *epoch) {
    atomic_init(&epoch->current, 1);
    atomic_init(&epoch->registered, 0);
    for (int i = 0; i < EPOCH_READERS; i++)
        atomic_init(&epoch->readers[i], 0);
}

unsigned epoch_register(struct epoch *epoch) {
    unsigned slot = atomic_fetch_add(&epoch->registered, 1);
    assert(slot < EPOCH_READERS);
    return slot;
}

void epoch_enter(struct epoch *epoch, unsigned reader) {
    atomic_store(&epoch->readers[reader], atomic_load(&epoch->current));
}

void epoch_leave(struct epoch *epoch, unsigned reader) {
    assert(atomic_load(&epoch->readers[reader]) != 0);
    atomic_store(&epoch->readers[reader], 0);
}

void epoch_synchronize(struct epoch *epoch) {
    unsigned target = atomic_fetch_add(&epoch->current, 1) + 1;
    for (int i = 0; i < EPOCH_READERS; i++) {
        unsigned seen;
        while ((seen = atomic_load(&epoch->readers[i])) != 0 && seen < target)
            sched_yield();
    }
}
