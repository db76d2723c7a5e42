#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>
#include <stdbool.h>

enum { QUEUE_SIZE = 16 };

/* Connections that wait for a worker. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    int sockets[QUEUE_SIZE];
    unsigned head, count;
    bool closed;
};

int queue_init(struct queue *queue);
void queue_destroy(struct queue *queue);

/* False if the queue is full or closed. */
bool queue_put(struct queue *queue, int socket);

/* Waits; -1 if the queue is closed and empty. */
int queue_take(struct queue *queue);
void queue_close(struct queue *queue);

#endif
