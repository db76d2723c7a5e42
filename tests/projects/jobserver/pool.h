/* A pool of worker threads that run jobs in the order of their submission. */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>

#include "queue.h"

enum pool_state {
    POOL_RUNNING,
    POOL_DRAINING, /* no new jobs; those that are there are run */
    POOL_STOPPED,  /* no new jobs; those that are there are dropped */
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work_available;
    pthread_cond_t idle;
    struct queue jobs;
    enum pool_state state;
    unsigned busy; /* workers that run a job */
    unsigned long finished;
    unsigned worker_count;
    pthread_t *workers;
};

/* Gives NULL and sets errno if there is no memory or no thread. */
struct pool *pool_create(unsigned worker_count);

/* 0, or an error number: ESHUTDOWN if the pool takes no more jobs. */
int pool_submit(struct pool *pool, job_function *run, void *argument);

/* Waits until nothing is queued and nobody works. */
void pool_wait_idle(struct pool *pool);

/* Ends the workers and frees the pool; gives the number of jobs that were run. */
unsigned long pool_destroy(struct pool *pool, bool drain);

#endif
