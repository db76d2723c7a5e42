// expect: SAFE
// family: channels and pipelines
// An unbuffered channel, as in Go: a sender goes on only when a receiver has taken its value; close
// lets receivers end. WORKERS receivers, main sends as many values.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS WORKERS
#endif

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t offered, taken;
    bool has_value, closed;
    int value;
};

static struct channel channel = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .offered = PTHREAD_COND_INITIALIZER,
    .taken = PTHREAD_COND_INITIALIZER,
};
static int received[WORKERS];

// There is one sender.
static void channel_send(struct channel *c, int value) {
    pthread_mutex_lock(&c->lock);
    c->value = value;
    c->has_value = true;
    pthread_cond_signal(&c->offered);
    while (c->has_value)
        pthread_cond_wait(&c->taken, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

static bool channel_receive(struct channel *c, int *value) {
    pthread_mutex_lock(&c->lock);
    while (!c->has_value && !c->closed)
        pthread_cond_wait(&c->offered, &c->lock);
    bool got = c->has_value;
    if (got) {
        *value = c->value;
        c->has_value = false;
        pthread_cond_signal(&c->taken);
    }
    pthread_mutex_unlock(&c->lock);
    return got;
}

static void channel_close(struct channel *c) {
    pthread_mutex_lock(&c->lock);
    c->closed = true;
    pthread_cond_broadcast(&c->offered);
    pthread_mutex_unlock(&c->lock);
}

static void *receiver(void *arg) {
    int *sum = arg, value;
    while (channel_receive(&channel, &value))
        *sum += value;
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, receiver, &received[i]);
    for (int i = 0; i < JOBS; i++)
        channel_send(&channel, i + 1);
    channel_close(&channel);
    int sum = 0;
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], 0);
        sum += received[i];
    }
    assert(sum == JOBS * (JOBS + 1) / 2);
    return 0;
}
