// expect: SAFE
// family: pools
// Thread pool: jobs by value in a ring of two places, with conditions for "not empty" and "not full".
// One job of kind STOP for each worker ends it.
#include <assert.h>
#include <pthread.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS WORKERS
#endif
#define SLOTS 2

enum kind { WORK, STOP };

struct job {
    enum kind kind;
    int index;
};

static struct {
    struct job ring[SLOTS];
    unsigned head, count;
    pthread_mutex_t mutex;
    pthread_cond_t not_empty, not_full;
} queue = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
};

static int result[JOBS];

static void put(struct job job) {
    pthread_mutex_lock(&queue.mutex);
    while (queue.count == SLOTS)
        pthread_cond_wait(&queue.not_full, &queue.mutex);
    queue.ring[(queue.head + queue.count) % SLOTS] = job;
    queue.count++;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.mutex);
}

static struct job take(void) {
    pthread_mutex_lock(&queue.mutex);
    while (queue.count == 0)
        pthread_cond_wait(&queue.not_empty, &queue.mutex);
    struct job job = queue.ring[queue.head];
    queue.head = (queue.head + 1) % SLOTS;
    queue.count--;
    assert(queue.count < SLOTS);
    pthread_cond_signal(&queue.not_full);
    pthread_mutex_unlock(&queue.mutex);
    return job;
}

static void *worker(void *arg) {
    (void)arg;
    struct job job;
    while ((job = take()).kind != STOP)
        result[job.index]++;
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < JOBS; i++)
        put((struct job){WORK, i});
    for (int i = 0; i < WORKERS; i++)
        put((struct job){STOP, 0});
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < JOBS; i++)
        assert(result[i] == 1);
    return 0;
}
