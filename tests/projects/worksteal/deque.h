/* The deque of Chase and Lev: its owner pushes and takes at the bottom, thieves steal at the top. */
#ifndef DEQUE_H
#define DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>

enum { DEQUE_SIZE = 4 }; /* a power of two */

struct task;

struct deque {
    atomic_int top, bottom;
    _Atomic(struct task *) tasks[DEQUE_SIZE];
};

void deque_init(struct deque *deque);

/* For the owner. False if the deque is full. */
bool deque_push(struct deque *deque, struct task *task);

/* For the owner. NULL if the deque is empty. */
struct task *deque_take(struct deque *deque);

/* For everybody else. NULL if the deque is empty or another thread was faster. */
struct task *deque_steal(struct deque *deque);

#endif
