/* A stack without locks of the numbers of free blocks, after Treiber.
 *
 * The top holds a block's number in its lower half, and in the upper half how often the top was changed: without
 * that a thread that was asleep takes an old top for the present one (the ABA problem). */
#ifndef STACK_H
#define STACK_H

#include <stdatomic.h>
#include <stdint.h>

enum { STACK_BLOCKS = 3, STACK_NONE = 0xffff };

struct stack {
    _Atomic uint32_t top;
    _Atomic uint16_t next[STACK_BLOCKS];
};

/* All blocks are on it. */
void stack_init(struct stack *stack);
void stack_push(struct stack *stack, unsigned block);

/* STACK_NONE if it is empty. */
unsigned stack_pop(struct stack *stack);

#endif
