#include "deque.h"

#include <stddef.h>

void deque_init(struct deque *deque) {
    atomic_init(&deque->top, 0);
    atomic_init(&deque->bottom, 0);
    for (int i = 0; i < DEQUE_SIZE; i++)
        atomic_init(&deque->tasks[i], NULL);
}

bool deque_push(struct deque *deque, struct task *task) {
    int bottom = atomic_load(&deque->bottom);
    int top = atomic_load(&deque->top);
    if (bottom - top >= DEQUE_SIZE)
        return false;
    atomic_store(&deque->tasks[bottom % DEQUE_SIZE], task);
    atomic_store(&deque->bottom, bottom + 1);
    return true;
}

struct task *deque_take(struct deque *deque) {
    int bottom = atomic_load(&deque->bottom) - 1;
    atomic_store(&deque->bottom, bottom);
    int top = atomic_load(&deque->top);
    if (top > bottom) {
        atomic_store(&deque->bottom, top);
        return NULL;
    }
    struct task *task = atomic_load(&deque->tasks[bottom % DEQUE_SIZE]);
    if (top < bottom)
        return task;
    /* The last one: a thief may want it, too. */
#ifdef BUG
    atomic_store(&deque->top, top + 1);
#else
    if (!atomic_compare_exchange_strong(&deque->top, &top, top + 1))
        task = NULL;
#endif
    atomic_store(&deque->bottom, bottom + 1);
    return task;
}

struct task *deque_steal(struct deque *deque) {
    int top = atomic_load(&deque->top);
    int bottom = atomic_load(&deque->bottom);
    if (top >= bottom)
        return NULL;
    struct task *task = atomic_load(&deque->tasks[top % DEQUE_SIZE]);
    if (!atomic_compare_exchange_strong(&deque->top, &top, top + 1))
        return NULL;
    return task;
}
