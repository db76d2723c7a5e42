// expect: SAFE
// family: work stealing
// Work stealing with a mutex for each deque: the owner takes the newest task, others steal the
// oldest. A task may spawn another one on its own deque. Everybody ends when no task is left.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define ROOM (2 * WORKERS)

struct deque {
    pthread_mutex_t lock;
    int tasks[ROOM];
    int top, bottom;
};

static struct deque deques[WORKERS];
static atomic_int pending;
static atomic_int done[2 * WORKERS];

static void push(struct deque *d, int task) {
    pthread_mutex_lock(&d->lock);
    assert(d->bottom < ROOM);
    d->tasks[d->bottom++] = task;
    pthread_mutex_unlock(&d->lock);
}

static int pop_newest(struct deque *d) {
    int task = -1;
    pthread_mutex_lock(&d->lock);
    if (d->top < d->bottom)
        task = d->tasks[--d->bottom];
    pthread_mutex_unlock(&d->lock);
    return task;
}

static int steal_oldest(struct deque *d) {
    int task = -1;
    pthread_mutex_lock(&d->lock);
    if (d->top < d->bottom)
        task = d->tasks[d->top++];
    pthread_mutex_unlock(&d->lock);
    return task;
}

static void execute(int me, int task) {
    atomic_fetch_add(&done[task], 1);
    if (task < WORKERS) {
        atomic_fetch_add(&pending, 1);
        push(&deques[me], task + WORKERS);
    }
    atomic_fetch_sub(&pending, 1);
}

static void *worker(void *arg) {
    int me = (int)(long)arg;
    while (atomic_load(&pending) > 0) {
        int task = pop_newest(&deques[me]);
        for (int i = 1; task < 0 && i < WORKERS; i++)
            task = steal_oldest(&deques[(me + i) % WORKERS]);
        if (task >= 0)
            execute(me, task);
    }
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        pthread_mutex_init(&deques[i].lock, 0);
        push(&deques[0], i);
        atomic_fetch_add(&pending, 1);
    }
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < 2 * WORKERS; i++)
        assert(done[i] == 1);
    return 0;
}
