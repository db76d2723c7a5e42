// expect: SAFE
// family: pools
// Thread pool: a linked queue of jobs, one mutex, one condition variable, a shutdown flag. Jobs that
// are queued when the pool shuts down are still done.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS WORKERS
#endif

typedef struct job {
    struct job *next;
    void (*run)(void *);
    void *arg;
} job_t;

typedef struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wakeup;
    job_t *head, *tail;
    int shutdown;
    pthread_t threads[WORKERS];
} pool_t;

static void *pool_thread(void *arg) {
    pool_t *pool = arg;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        while (!pool->head && !pool->shutdown)
            pthread_cond_wait(&pool->wakeup, &pool->lock);
        job_t *job = pool->head;
        if (!job) {
            pthread_mutex_unlock(&pool->lock);
            return NULL;
        }
        pool->head = job->next;
        if (!pool->head)
            pool->tail = NULL;
        pthread_mutex_unlock(&pool->lock);
        job->run(job->arg);
        free(job);
    }
}

static pool_t *pool_create(void) {
    pool_t *pool = calloc(1, sizeof *pool);
    if (!pool)
        abort();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wakeup, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&pool->threads[i], NULL, pool_thread, pool);
    return pool;
}

static void pool_submit(pool_t *pool, void (*run)(void *), void *arg) {
    job_t *job = malloc(sizeof *job);
    if (!job)
        abort();
    *job = (job_t){NULL, run, arg};
    pthread_mutex_lock(&pool->lock);
    if (pool->tail)
        pool->tail->next = job;
    else
        pool->head = job;
    pool->tail = job;
    pthread_cond_signal(&pool->wakeup);
    pthread_mutex_unlock(&pool->lock);
}

static void pool_destroy(pool_t *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->shutdown = 1;
    pthread_cond_broadcast(&pool->wakeup);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool->threads[i], NULL);
    assert(!pool->head);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->wakeup);
    free(pool);
}

static void square(void *arg) {
    int *x = arg;
    *x = *x * *x;
}

int main(void) {
    int values[JOBS];
    pool_t *pool = pool_create();
    for (int i = 0; i < JOBS; i++) {
        values[i] = i + 2;
        pool_submit(pool, square, &values[i]);
    }
    pool_destroy(pool);
    for (int i = 0; i < JOBS; i++)
        assert(values[i] == (i + 2) * (i + 2));
    return 0;
}
