// expect: UNSAFE memory
// family: pools
// Thread pool that waits with `if`: after a wakeup without a job (a spurious one, or one for a job
// that another worker has taken) it follows a null pointer.
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct work {
    struct work *next;
    int (*run)(int);
    int argument, *result;
} work_t;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t available = PTHREAD_COND_INITIALIZER;
static work_t *first;
static int results[WORKERS];

static int negate(int x) { return -x; }

static void add_work(int argument, int *result) {
    work_t *w = malloc(sizeof *w);
    *w = (work_t){0, negate, argument, result};
    pthread_mutex_lock(&mutex);
    w->next = first;
    first = w;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&available);
}

static work_t *get_work(void) {
    pthread_mutex_lock(&mutex);
    if (!first)
        pthread_cond_wait(&available, &mutex);
    work_t *w = first;
    first = w->next; //~ memory
    pthread_mutex_unlock(&mutex);
    return w;
}

static void *worker(void *arg) {
    (void)arg;
    work_t *w = get_work();
    *w->result = w->run(w->argument);
    free(w);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < WORKERS; i++)
        add_work(i, &results[i]);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
