// expect: SAFE
// family: channels and pipelines
// Producers and consumers with C11 threads: a bounded buffer with mtx_t and two cnd_t. WORKERS
// producers of one item each and as many consumers.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define PLACES 2

typedef struct {
    mtx_t lock;
    cnd_t may_put, may_take;
    int *items[PLACES];
    int in, out, count;
} buffer_t;

static buffer_t buffer;
static int sum_of[WORKERS];

static void buffer_put(buffer_t *b, int *item) {
    mtx_lock(&b->lock);
    while (b->count == PLACES)
        cnd_wait(&b->may_put, &b->lock);
    b->items[b->in] = item;
    b->in = (b->in + 1) % PLACES;
    ++b->count;
    cnd_signal(&b->may_take);
    mtx_unlock(&b->lock);
}

static int *buffer_take(buffer_t *b) {
    mtx_lock(&b->lock);
    while (b->count == 0)
        cnd_wait(&b->may_take, &b->lock);
    int *item = b->items[b->out];
    b->items[b->out] = NULL;
    b->out = (b->out + 1) % PLACES;
    --b->count;
    cnd_signal(&b->may_put);
    mtx_unlock(&b->lock);
    return item;
}

static int producer(void *arg) {
    int *item = malloc(sizeof *item);
    *item = 1 + *(int *)arg;
    buffer_put(&buffer, item);
    return 0;
}

static int consumer(void *arg) {
    int *item = buffer_take(&buffer);
    assert(item);
    *(int *)arg = *item;
    free(item);
    return 0;
}

int main(void) {
    thrd_t producers[WORKERS], consumers[WORKERS];
    int numbers[WORKERS];
    mtx_init(&buffer.lock, mtx_plain);
    cnd_init(&buffer.may_put);
    cnd_init(&buffer.may_take);
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        thrd_create(&producers[i], producer, &numbers[i]);
        thrd_create(&consumers[i], consumer, &sum_of[i]);
    }
    int sum = 0;
    for (int i = 0; i < WORKERS; i++) {
        thrd_join(producers[i], NULL);
        thrd_join(consumers[i], NULL);
        sum += sum_of[i];
    }
    assert(sum == WORKERS * (WORKERS + 1) / 2);
    cnd_destroy(&buffer.may_put);
    cnd_destroy(&buffer.may_take);
    mtx_destroy(&buffer.lock);
    return 0;
}
