// expect: UNSAFE memory
// family: pools
// Thread pool of detached workers: main waits until all jobs are done and frees the pool, while the
// last worker is still on its way out of the critical section.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t all_done;
    int remaining;
    int output[WORKERS];
};

struct start {
    struct pool *pool;
    int index;
};

static void pool_finish(struct pool *p) {
    pthread_mutex_lock(&p->lock);
    int last = --p->remaining == 0;
    pthread_mutex_unlock(&p->lock);
    if (last)
        pthread_cond_signal(&p->all_done); //~ memory
}

static void *worker(void *arg) {
    struct start *start = arg;
    struct pool *pool = start->pool;
    pool->output[start->index] = start->index + 1;
    free(start);
    pool_finish(pool);
    return 0;
}

static struct pool *pool_run(void) {
    struct pool *p = calloc(1, sizeof *p);
    pthread_mutex_init(&p->lock, 0);
    pthread_cond_init(&p->all_done, 0);
    p->remaining = WORKERS;
    for (int i = 0; i < WORKERS; i++) {
        struct start *start = malloc(sizeof *start);
        *start = (struct start){p, i};
        pthread_t thread;
        pthread_create(&thread, 0, worker, start);
        pthread_detach(thread);
    }
    return p;
}

static int pool_collect(struct pool *p) {
    int sum = 0;
    pthread_mutex_lock(&p->lock);
    while (p->remaining > 0)
        pthread_cond_wait(&p->all_done, &p->lock);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < WORKERS; i++)
        sum += p->output[i];
    free(p);
    return sum;
}

int main(void) {
    struct pool *pool = pool_run();
    assert(pool_collect(pool) == WORKERS * (WORKERS + 1) / 2);
    return 0;
}
