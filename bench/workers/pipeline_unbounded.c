// expect: SAFE
// family: channels and pipelines
// A pipeline with unbounded queues of heap-allocated packets: WORKERS parsers share one input
// queue and write to one output queue, which main drains. A null pointer closes a queue for all.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS WORKERS
#endif

struct packet {
    struct packet *next;
    int number, checksum;
};

struct fifo {
    pthread_mutex_t lock;
    pthread_cond_t some;
    struct packet *first, **end;
    int closed;
};

static struct fifo input, output;

static void fifo_init(struct fifo *f) {
    pthread_mutex_init(&f->lock, 0);
    pthread_cond_init(&f->some, 0);
    f->first = 0;
    f->end = &f->first;
    f->closed = 0;
}

static void fifo_put(struct fifo *f, struct packet *p) {
    p->next = 0;
    pthread_mutex_lock(&f->lock);
    *f->end = p;
    f->end = &p->next;
    pthread_mutex_unlock(&f->lock);
    pthread_cond_signal(&f->some);
}

static void fifo_close(struct fifo *f) {
    pthread_mutex_lock(&f->lock);
    f->closed = 1;
    pthread_mutex_unlock(&f->lock);
    pthread_cond_broadcast(&f->some);
}

static struct packet *fifo_get(struct fifo *f) {
    pthread_mutex_lock(&f->lock);
    while (!f->first && !f->closed)
        pthread_cond_wait(&f->some, &f->lock);
    struct packet *p = f->first;
    if (p) {
        f->first = p->next;
        if (!f->first)
            f->end = &f->first;
    }
    pthread_mutex_unlock(&f->lock);
    return p;
}

static void *parse(void *arg) {
    (void)arg;
    struct packet *p;
    while ((p = fifo_get(&input))) {
        p->checksum = p->number ^ 0x55;
        fifo_put(&output, p);
    }
    return 0;
}

int main(void) {
    pthread_t parsers[WORKERS];
    int seen = 0;
    fifo_init(&input);
    fifo_init(&output);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&parsers[i], 0, parse, 0);
    for (int i = 0; i < JOBS; i++) {
        struct packet *p = malloc(sizeof *p);
        p->number = i;
        fifo_put(&input, p);
    }
    fifo_close(&input);
    for (int i = 0; i < JOBS; i++) {
        struct packet *p = fifo_get(&output);
        assert(p->checksum == (p->number ^ 0x55));
        seen += p->number;
        free(p);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(parsers[i], 0);
    assert(seen == JOBS * (JOBS - 1) / 2);
    return 0;
}
