/* Workers with a deque each; one that has nothing to do steals from the others. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <pthread.h>

#include "deque.h"

enum { WORKERS = 2 };

struct task {
    void (*run)(struct task *task);
    int input;
    int output;
    atomic_int runs;
};

struct worker {
    struct scheduler *scheduler;
    unsigned number;
    unsigned own, stolen; /* tasks that it ran */
    struct deque deque;
    pthread_t thread;
};

struct scheduler {
    struct worker workers[WORKERS];
    atomic_uint left; /* tasks that nobody has finished */
};

void scheduler_init(struct scheduler *scheduler);

/* Before the workers start: gives a task to a worker. */
bool scheduler_add(struct scheduler *scheduler, unsigned worker, struct task *task);

/* Runs all tasks; returns when they are finished. */
void scheduler_run(struct scheduler *scheduler);

#endif
