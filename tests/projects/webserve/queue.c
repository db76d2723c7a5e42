#include "queue.h"

int queue_init(struct queue *queue) {
    int error = pthread_mutex_init(&queue->lock, NULL);
    if (error != 0)
        return error;
    error = pthread_cond_init(&queue->not_empty, NULL);
    if (error != 0) {
        pthread_mutex_destroy(&queue->lock);
        return error;
    }
    queue->head = queue->count = 0;
    queue->closed = false;
    return 0;
}

void queue_destroy(struct queue *queue) {
    pthread_cond_destroy(&queue->not_empty);
    pthread_mutex_destroy(&queue->lock);
}

bool queue_put(struct queue *queue, int socket) {
    pthread_mutex_lock(&queue->lock);
    bool room = !queue->closed && queue->count < QUEUE_SIZE;
    if (room) {
        queue->sockets[(queue->head + queue->count++) % QUEUE_SIZE] = socket;
        pthread_cond_signal(&queue->not_empty);
    }
    pthread_mutex_unlock(&queue->lock);
    return room;
}

int queue_take(struct queue *queue) {
    int socket = -1;
    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0 && !queue->closed)
        pthread_cond_wait(&queue->not_empty, &queue->lock);
    if (queue->count > 0) {
        socket = queue->sockets[queue->head];
        queue->head = (queue->head + 1) % QUEUE_SIZE;
        queue->count--;
    }
    pthread_mutex_unlock(&queue->lock);
    return socket;
}

void queue_close(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
    pthread_cond_broadcast(&queue->not_empty);
    pthread_mutex_unlock(&queue->lock);
}
