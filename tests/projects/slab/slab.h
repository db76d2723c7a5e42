/* An allocator of blocks of one size for many threads. */
#ifndef SLAB_H
#define SLAB_H

#include <stdbool.h>
#include <stddef.h>

#include "stack.h"

enum { SLAB_BLOCK = 16 };

struct slab {
    struct stack free;
    atomic_uint used, most_used;
    atomic_bool in_use[STACK_BLOCKS]; /* to find blocks that are freed twice */
    unsigned char memory[STACK_BLOCKS][SLAB_BLOCK];
};

void slab_init(struct slab *slab);

/* NULL if all blocks are in use. */
void *slab_alloc(struct slab *slab);
void slab_free(struct slab *slab, void *block);

/* The number of blocks that are in use now. */
unsigned slab_used(struct slab *slab);

/* Whether all blocks were given back. */
bool slab_is_unused(struct slab *slab);

#endif
