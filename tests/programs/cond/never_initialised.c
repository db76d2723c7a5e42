// args: --property locks
// expect: UNSAFE locks
// args explore: --inputs 0,1
// New memory holds anything, so what was not initialised is no condition variable.
#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    int count;
};

static void *run(void *arg) {
    struct queue *queue = arg;
    pthread_mutex_lock(&queue->mutex);
    queue->count++;
    pthread_cond_signal(&queue->filled); //~ locks
    pthread_mutex_unlock(&queue->mutex);
    return arg;
}

int main(void) {
    pthread_t t;
    struct queue *queue = malloc(sizeof *queue);
    queue->count = 0;
    pthread_mutex_init(&queue->mutex, 0);
    pthread_create(&t, 0, run, queue);
    pthread_join(t, 0);
    free(queue);
    return 0;
}
