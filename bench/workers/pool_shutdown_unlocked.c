// expect: UNSAFE deadlocks
// family: pools
// Thread pool whose shutdown flag is atomic and set without the lock: a worker that has looked at it and
// is about to wait misses the broadcast.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct task {
    struct task *next;
    int *target;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct task *tasks;
    atomic_bool stop;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

static int results[WORKERS];

static struct task *next_task(void) {
    pthread_mutex_lock(&pool.lock);
    while (!pool.tasks && !atomic_load(&pool.stop))
        pthread_cond_wait(&pool.more, &pool.lock); //~ deadlocks
    struct task *t = pool.tasks;
    if (t)
        pool.tasks = t->next;
    pthread_mutex_unlock(&pool.lock);
    return t;
}

static void *worker(void *arg) {
    (void)arg;
    struct task *t;
    while ((t = next_task())) {
        *t->target = 1;
        free(t);
    }
    return NULL;
}

static void submit(int *target) {
    struct task *t = malloc(sizeof *t);
    t->target = target;
    pthread_mutex_lock(&pool.lock);
    t->next = pool.tasks;
    pool.tasks = t;
    pthread_cond_signal(&pool.more);
    pthread_mutex_unlock(&pool.lock);
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < WORKERS; i++)
        submit(&results[i]);
    atomic_store(&pool.stop, 1);
    pthread_cond_broadcast(&pool.more);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL); //~ deadlocks
    for (int i = 0; i < WORKERS; i++)
        assert(results[i]);
    return 0;
}
