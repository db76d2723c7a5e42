// expect: SAFE
// family: event loops and actors
// An event loop: threads post callbacks to a queue; the loop takes the whole queue at once and calls
// them without the lock, so that the loop's own state needs none. It ends with the last source.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct event {
    struct event *next;
    void (*callback)(struct event *);
    int data;
};

static struct loop {
    pthread_mutex_t lock;
    pthread_cond_t posted;
    struct event *incoming;
    int sources; // used by callbacks only
    int total;   // likewise
} loop = {.lock = PTHREAD_MUTEX_INITIALIZER, .posted = PTHREAD_COND_INITIALIZER};

static void post(void (*callback)(struct event *), int data) {
    struct event *e = malloc(sizeof *e);
    e->callback = callback;
    e->data = data;
    pthread_mutex_lock(&loop.lock);
    int was_empty = loop.incoming == NULL;
    e->next = loop.incoming;
    loop.incoming = e;
    if (was_empty)
        pthread_cond_signal(&loop.posted);
    pthread_mutex_unlock(&loop.lock);
}

static void on_data(struct event *e) { loop.total += e->data; }

static void on_close(struct event *e) {
    (void)e;
    assert(loop.sources > 0);
    loop.sources--;
}

static void *source(void *arg) {
    int id = (int)(long)arg;
    post(on_data, id);
    post(on_close, id);
    return NULL;
}

static void run_loop(void) {
    while (loop.sources > 0) {
        pthread_mutex_lock(&loop.lock);
        while (!loop.incoming)
            pthread_cond_wait(&loop.posted, &loop.lock);
        struct event *batch = loop.incoming;
        loop.incoming = NULL;
        pthread_mutex_unlock(&loop.lock);
        while (batch) {
            struct event *e = batch;
            batch = e->next;
            e->callback(e);
            free(e);
        }
    }
}

int main(void) {
    pthread_t threads[WORKERS];
    loop.sources = WORKERS;
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, source, (void *)(i + 1));
    run_loop();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(loop.total == WORKERS * (WORKERS + 1) / 2);
    return 0;
}
