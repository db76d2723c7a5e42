// expect: SAFE
// family: channels and pipelines
// A pipeline of WORKERS stages, connected by channels of one place that block. Each stage adds one;
// a negative value closes the pipeline. Items arrive in order.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS 2
#endif
#define CLOSE (-1)

typedef struct channel {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool full;
    int value;
} channel;

static channel links[WORKERS + 1];

static void channel_init(channel *c) {
    pthread_mutex_init(&c->mutex, 0);
    pthread_cond_init(&c->changed, 0);
}

static void channel_send(channel *c, int value) {
    pthread_mutex_lock(&c->mutex);
    while (c->full)
        pthread_cond_wait(&c->changed, &c->mutex);
    c->value = value;
    c->full = true;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

static int channel_receive(channel *c) {
    pthread_mutex_lock(&c->mutex);
    while (!c->full)
        pthread_cond_wait(&c->changed, &c->mutex);
    int value = c->value;
    c->full = false;
    pthread_cond_signal(&c->changed);
    pthread_mutex_unlock(&c->mutex);
    return value;
}

static void *stage(void *arg) {
    channel *in = arg, *out = in + 1;
    int value;
    do {
        value = channel_receive(in);
        channel_send(out, value == CLOSE ? CLOSE : value + 1);
    } while (value != CLOSE);
    return 0;
}

static void *source(void *arg) {
    (void)arg;
    for (int i = 0; i < JOBS; i++)
        channel_send(&links[0], 10 * i);
    channel_send(&links[0], CLOSE);
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS], feeder;
    for (int i = 0; i <= WORKERS; i++)
        channel_init(&links[i]);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, stage, &links[i]);
    pthread_create(&feeder, 0, source, 0);
    for (int i = 0; i < JOBS; i++)
        assert(channel_receive(&links[WORKERS]) == 10 * i + WORKERS);
    assert(channel_receive(&links[WORKERS]) == CLOSE);
    pthread_join(feeder, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
