// expect: SAFE
// family: pools
// Thread pool: a semaphore counts the jobs that wait, a mutex guards the index of the next one, and
// a second semaphore tells main how many are done.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS WORKERS
#endif

typedef int (*task_fn)(int);

static struct {
    task_fn call[JOBS];
    int input[JOBS], output[JOBS];
    int next;
    pthread_mutex_t lock;
    sem_t waiting, finished;
} box;

static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

static void *serve(void *arg) {
    (void)arg;
    for (;;) {
        sem_wait(&box.waiting);
        pthread_mutex_lock(&box.lock);
        int mine = box.next < JOBS ? box.next++ : -1;
        pthread_mutex_unlock(&box.lock);
        if (mine < 0)
            break;
        box.output[mine] = box.call[mine](box.input[mine]);
        sem_post(&box.finished);
    }
    return 0;
}

int main(void) {
    pthread_t thread[WORKERS];
    pthread_mutex_init(&box.lock, 0);
    sem_init(&box.waiting, 0, 0);
    sem_init(&box.finished, 0, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], 0, serve, 0);
    for (int i = 0; i < JOBS; i++) {
        box.call[i] = i % 2 ? twice : thrice;
        box.input[i] = i;
        sem_post(&box.waiting);
    }
    for (int i = 0; i < JOBS; i++)
        sem_wait(&box.finished);
    for (int i = 0; i < JOBS; i++)
        assert(box.output[i] == (i % 2 ? 2 * i : 3 * i));
    for (int i = 0; i < WORKERS; i++)
        sem_post(&box.waiting);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], 0);
    sem_destroy(&box.waiting);
    sem_destroy(&box.finished);
    pthread_mutex_destroy(&box.lock);
    return 0;
}
