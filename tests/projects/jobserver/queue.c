#include "queue.h"

#include <stdlib.h>

void queue_init(struct queue *queue) {
    queue->first = NULL;
    queue->last = &queue->first;
    queue->length = 0;
}

void queue_push(struct queue *queue, struct job *job) {
    job->next = NULL;
    *queue->last = job;
    queue->last = &job->next;
    queue->length++;
}

struct job *queue_pop(struct queue *queue) {
    struct job *job = queue->first;
    if (job == NULL)
        return NULL;
    queue->first = job->next;
    if (queue->first == NULL)
        queue->last = &queue->first;
    queue->length--;
    return job;
}

bool queue_is_empty(const struct queue *queue) { return queue->first == NULL; }

size_t queue_clear(struct queue *queue) {
    size_t freed = 0;
    struct job *job;
    while ((job = queue_pop(queue)) != NULL) {
        free(job);
        freed++;
    }
    return freed;
}
