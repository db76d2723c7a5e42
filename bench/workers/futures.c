// expect: SAFE
// family: fork and join
// Futures: each call runs in a thread of its own and fulfils a promise on the heap; main asks for the
// values, in another order than they were promised. Whoever lets go last frees the state.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct future {
    pthread_mutex_t mutex;
    pthread_cond_t ready;
    bool is_set;
    int value;
    int holders;
    int (*function)(int);
    int argument;
} future_t;

static void future_release(future_t *f) {
    pthread_mutex_lock(&f->mutex);
    bool last = --f->holders == 0;
    pthread_mutex_unlock(&f->mutex);
    if (last) {
        pthread_cond_destroy(&f->ready);
        pthread_mutex_destroy(&f->mutex);
        free(f);
    }
}

static void *fulfil(void *arg) {
    future_t *f = arg;
    int value = f->function(f->argument);
    pthread_mutex_lock(&f->mutex);
    f->value = value;
    f->is_set = true;
    pthread_cond_broadcast(&f->ready);
    pthread_mutex_unlock(&f->mutex);
    future_release(f);
    return NULL;
}

static future_t *async(int (*function)(int), int argument) {
    future_t *f = calloc(1, sizeof *f);
    if (!f)
        abort();
    pthread_mutex_init(&f->mutex, NULL);
    pthread_cond_init(&f->ready, NULL);
    f->holders = 2;
    f->function = function;
    f->argument = argument;
    pthread_t thread;
    pthread_create(&thread, NULL, fulfil, f);
    pthread_detach(thread);
    return f;
}

static int future_get(future_t *f) {
    pthread_mutex_lock(&f->mutex);
    while (!f->is_set)
        pthread_cond_wait(&f->ready, &f->mutex);
    int value = f->value;
    pthread_mutex_unlock(&f->mutex);
    future_release(f);
    return value;
}

static int cube(int x) { return x * x * x; }

int main(void) {
    future_t *futures[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        futures[i] = async(cube, i + 1);
    for (int i = WORKERS - 1; i >= 0; i--)
        assert(future_get(futures[i]) == (i + 1) * (i + 1) * (i + 1));
    return 0;
}
