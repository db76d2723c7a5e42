// expect: UNSAFE races
// family: work stealing
// Work stealing where the owner of a deque takes its newest task without the lock that thieves use.
#include <pthread.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define TASKS 2

struct deque {
    pthread_mutex_t lock;
    int oldest, newest;
    int tasks[TASKS];
};

static struct deque deques[WORKERS + 1];
static int work_done[WORKERS + 1];

static int pop(struct deque *d) {
    if (d->oldest == d->newest) //~ races
        return -1;
    return d->tasks[--d->newest]; //~ races
}

static int steal(struct deque *d) {
    int task = -1;
    pthread_mutex_lock(&d->lock);
    if (d->oldest < d->newest) //~ races
        task = d->tasks[d->oldest++]; //~ races
    pthread_mutex_unlock(&d->lock);
    return task;
}

static void *worker(void *arg) {
    int me = (int)(long)arg;
    int task = pop(&deques[me]);
    if (task < 0)
        task = steal(&deques[0]);
    if (task >= 0)
        work_done[me] += task;
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i <= WORKERS; i++)
        pthread_mutex_init(&deques[i].lock, 0);
    for (int i = 0; i < TASKS; i++)
        deques[0].tasks[deques[0].newest++] = i + 1;
    for (long i = 1; i <= WORKERS; i++)
        pthread_create(&threads[i - 1], 0, worker, (void *)i);
    worker((void *)0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i <= WORKERS; i++)
        pthread_mutex_destroy(&deques[i].lock);
    return 0;
}
