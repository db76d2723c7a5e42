/* A first-in first-out queue of jobs. Not safe for threads: the pool locks it. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stddef.h>

typedef void job_function(void *argument);

struct job {
    job_function *run;
    void *argument;
    struct job *next;
};

struct queue {
    struct job *first;
    struct job **last; /* where the next job is linked in */
    size_t length;
};

void queue_init(struct queue *queue);
void queue_push(struct queue *queue, struct job *job);
struct job *queue_pop(struct queue *queue);
bool queue_is_empty(const struct queue *queue);

/* Frees all jobs that were not run; gives their number. */
size_t queue_clear(struct queue *queue);

#endif
