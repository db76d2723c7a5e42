#include "pool.h"

#include <errno.h>
#include <stdlib.h>

static struct job *next_job(struct pool *pool) {
    while (queue_is_empty(&pool->jobs)) {
        if (pool->state != POOL_RUNNING)
            return NULL;
        pthread_cond_wait(&pool->work_available, &pool->lock);
    }
    return pool->state == POOL_STOPPED ? NULL : queue_pop(&pool->jobs);
}

static void *work(void *argument) {
    struct pool *pool = argument;
    struct job *job;

    pthread_mutex_lock(&pool->lock);
    while ((job = next_job(pool)) != NULL) {
        pool->busy++;
        pthread_mutex_unlock(&pool->lock);
        job->run(job->argument);
        free(job);
        pthread_mutex_lock(&pool->lock);
        pool->busy--;
        pool->finished++;
        if (pool->busy == 0 && queue_is_empty(&pool->jobs))
            pthread_cond_broadcast(&pool->idle);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void stop(struct pool *pool, enum pool_state state) {
    pthread_mutex_lock(&pool->lock);
    pool->state = state;
#ifdef BUG
    /* Wakes one worker; the others sleep on, and the join below waits for them. */
    pthread_cond_signal(&pool->work_available);
#else
    pthread_cond_broadcast(&pool->work_available);
#endif
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->worker_count; i++)
        pthread_join(pool->workers[i], NULL);
}

static void release(struct pool *pool) {
    queue_clear(&pool->jobs);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->work_available);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool);
}

struct pool *pool_create(unsigned worker_count) {
    struct pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    pool->workers = calloc(worker_count, sizeof *pool->workers);
    if (pool->workers == NULL) {
        free(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_available, NULL);
    pthread_cond_init(&pool->idle, NULL);
    queue_init(&pool->jobs);
    pool->state = POOL_RUNNING;
    for (; pool->worker_count < worker_count; pool->worker_count++) {
        pthread_t *worker = &pool->workers[pool->worker_count];
        int error = pthread_create(worker, NULL, work, pool);
        if (error != 0) {
            stop(pool, POOL_STOPPED);
            release(pool);
            errno = error;
            return NULL;
        }
    }
    return pool;
}

int pool_submit(struct pool *pool, job_function *run, void *argument) {
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        return ENOMEM;
    job->run = run;
    job->argument = argument;
    pthread_mutex_lock(&pool->lock);
    if (pool->state != POOL_RUNNING) {
        pthread_mutex_unlock(&pool->lock);
        free(job);
        return ESHUTDOWN;
    }
    queue_push(&pool->jobs, job);
    pthread_cond_signal(&pool->work_available);
    pthread_mutex_unlock(&pool->lock);
    return 0;
}

void pool_wait_idle(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    while (pool->busy != 0 || !queue_is_empty(&pool->jobs))
        pthread_cond_wait(&pool->idle, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

unsigned long pool_destroy(struct pool *pool, bool drain) {
    stop(pool, drain ? POOL_DRAINING : POOL_STOPPED);
    unsigned long finished = pool->finished;
    release(pool);
    return finished;
}
