#include "stack.h"

static unsigned block_of(uint32_t top) { return top & 0xffff; }

static uint32_t changed(uint32_t top, unsigned block) {
#ifdef BUG
    (void)top;
    return block;
#else
    return ((top >> 16) + 1) << 16 | block;
#endif
}

void stack_init(struct stack *stack) {
    for (unsigned i = 0; i < STACK_BLOCKS; i++)
        atomic_init(&stack->next[i], (uint16_t)(i + 1 < STACK_BLOCKS ? i + 1 : STACK_NONE));
    atomic_init(&stack->top, 0);
}

void stack_push(struct stack *stack, unsigned block) {
    uint32_t top = atomic_load(&stack->top);
    do {
        atomic_store(&stack->next[block], (uint16_t)block_of(top));
    } while (!atomic_compare_exchange_weak(&stack->top, &top, changed(top, block)));
}

unsigned stack_pop(struct stack *stack) {
    uint32_t top = atomic_load(&stack->top);
    for (;;) {
        unsigned block = block_of(top);
        if (block == STACK_NONE)
            return STACK_NONE;
        unsigned next = atomic_load(&stack->next[block]);
        if (atomic_compare_exchange_weak(&stack->top, &top, changed(top, next)))
            return block;
    }
}
