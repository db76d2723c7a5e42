// expect: UNSAFE deadlocks
// family: pools
// Jobs that submit a job to their own pool and wait for it: when all workers wait, nobody is left
// to do what they wait for.
#include <pthread.h>
#include <stdbool.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define ROOM (2 * WORKERS)

struct job {
    int id;
    bool has_child;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct job queue[ROOM];
static int head, tail;
static bool finished[ROOM];

// All with the lock held.
static void submit(int id, bool has_child) {
    queue[tail++] = (struct job){id, has_child};
    pthread_cond_broadcast(&changed);
}

static void wait_for(int id) {
    while (!finished[id])
        pthread_cond_wait(&changed, &lock); //~ deadlocks
}

static void execute(struct job job) {
    if (job.has_child) {
        submit(job.id + WORKERS, false);
        wait_for(job.id + WORKERS);
    }
    finished[job.id] = true;
    pthread_cond_broadcast(&changed);
}

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    for (;;) {
        if (head < tail)
            execute(queue[head++]);
        else if (head == ROOM)
            break;
        else
            pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    pthread_mutex_lock(&lock);
    for (int i = 0; i < WORKERS; i++)
        submit(i, true);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0); //~ deadlocks
    return 0;
}
