// The synchronisation module (paper 004): THREADS (13, with main) that count under locks.
//
// The paper does not say what its module does. This one has what synchronisation benchmarks measure: a counter
// behind the lock of its object (taken inside a function, as in a synchronised method), and another one behind a lock
// that the caller takes (a synchronised block). MISTAKE: one block looks at its counter before it takes the lock.
// THREADS (2 to 13 in the paper, with main), ROUNDS (2). What the paper has no figures for, a barrier, is barrier.c.
#include <pthread.h>
#ifndef THREADS
#define THREADS 13
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
enum { WORKERS = THREADS - 1 };

typedef struct {
    pthread_mutex_t lock;
    int value;
} counter;

static counter method = {PTHREAD_MUTEX_INITIALIZER, 0};
static pthread_mutex_t block_lock = PTHREAD_MUTEX_INITIALIZER;
static int block_value, most;

static void count(counter *c) {
    pthread_mutex_lock(&c->lock);
    c->value++;
    pthread_mutex_unlock(&c->lock);
}

static void *worker(void *number) {
    for (int i = 0; i < ROUNDS; i++) {
        count(&method);
#ifdef MISTAKE
        if (block_value < 0)
            return number;
#endif
        pthread_mutex_lock(&block_lock);
        block_value++;
        if (block_value > most)
            most = block_value;
        pthread_mutex_unlock(&block_lock);
    }
    return 0;
}

int main(void) {
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], 0, worker, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], 0);
    return method.value + most < 0;
}
