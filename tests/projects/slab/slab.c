#include "slab.h"

#include <assert.h>
#include <string.h>

void slab_init(struct slab *slab) {
    stack_init(&slab->free);
    atomic_init(&slab->used, 0);
    atomic_init(&slab->most_used, 0);
    for (int i = 0; i < STACK_BLOCKS; i++)
        atomic_init(&slab->in_use[i], false);
}

static void note_use(struct slab *slab) {
    unsigned used = atomic_fetch_add(&slab->used, 1) + 1;
    unsigned most = atomic_load(&slab->most_used);
    while (used > most && !atomic_compare_exchange_weak(&slab->most_used, &most, used)) {
    }
}

void *slab_alloc(struct slab *slab) {
    unsigned number = stack_pop(&slab->free);
    if (number == STACK_NONE)
        return NULL;
    bool before = atomic_exchange(&slab->in_use[number], true);
    assert(!before); /* nobody else has it */
    note_use(slab);
    return slab->memory[number];
}

void slab_free(struct slab *slab, void *block) {
    size_t offset = (size_t)((unsigned char *)block - slab->memory[0]);
    assert(offset < sizeof slab->memory && offset % SLAB_BLOCK == 0);
    unsigned number = (unsigned)(offset / SLAB_BLOCK);
    bool before = atomic_exchange(&slab->in_use[number], false);
    assert(before);
    atomic_fetch_sub(&slab->used, 1);
    stack_push(&slab->free, number);
}

unsigned slab_used(struct slab *slab) { return atomic_load(&slab->used); }

bool slab_is_unused(struct slab *slab) { return slab_used(slab) == 0; }
