// expect: SAFE
// family: fork and join
// Two countdown latches: one lets all workers begin together when main has set everything up, the other
// tells main that all have finished.
#include <assert.h>
#include <pthread.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct latch {
    pthread_mutex_t mutex;
    pthread_cond_t zero;
    int count;
} latch_t;

static latch_t ready, done;
static int setting;
static int squares[WORKERS];

static void latch_init(latch_t *l, int count) {
    pthread_mutex_init(&l->mutex, 0);
    pthread_cond_init(&l->zero, 0);
    l->count = count;
}

static void latch_count_down(latch_t *l) {
    pthread_mutex_lock(&l->mutex);
    assert(l->count > 0);
    if (--l->count == 0)
        pthread_cond_broadcast(&l->zero);
    pthread_mutex_unlock(&l->mutex);
}

static void latch_await(latch_t *l) {
    pthread_mutex_lock(&l->mutex);
    while (l->count > 0)
        pthread_cond_wait(&l->zero, &l->mutex);
    pthread_mutex_unlock(&l->mutex);
}

static void *worker(void *arg) {
    long me = (long)arg;
    latch_await(&ready);
    assert(setting == 42);
    squares[me] = (int)(me * me) + setting;
    latch_count_down(&done);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    latch_init(&ready, 1);
    latch_init(&done, WORKERS);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    setting = 42;
    latch_count_down(&ready);
    latch_await(&done);
    for (int i = 0; i < WORKERS; i++)
        assert(squares[i] == i * i + 42);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
