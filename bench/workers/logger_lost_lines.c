// expect: UNSAFE assertions
// family: services
// A logger thread that ends as soon as it is told to: lines that came since it looked last are lost.
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <threads.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct line {
    struct line *next;
    int severity;
};

static mtx_t lock;
static cnd_t wakeup;
static struct line *pending;
static bool stop;
static int lines_written;

static void log_message(int severity) {
    struct line *l = malloc(sizeof *l);
    l->severity = severity;
    mtx_lock(&lock);
    l->next = pending;
    pending = l;
    mtx_unlock(&lock);
    cnd_signal(&wakeup);
}

static void write_lines(struct line *l) {
    while (l) {
        struct line *next = l->next;
        assert(l->severity >= 0);
        lines_written++;
        free(l);
        l = next;
    }
}

static int logger(void *arg) {
    (void)arg;
    mtx_lock(&lock);
    while (!stop) {
        if (!pending) {
            cnd_wait(&wakeup, &lock);
            continue;
        }
        struct line *batch = pending;
        pending = NULL;
        mtx_unlock(&lock);
        write_lines(batch);
        mtx_lock(&lock);
    }
    mtx_unlock(&lock);
    return 0;
}

static int worker(void *arg) {
    (void)arg;
    log_message(1);
    return 0;
}

int main(void) {
    thrd_t scribe, workers[WORKERS];
    mtx_init(&lock, mtx_plain);
    cnd_init(&wakeup);
    thrd_create(&scribe, logger, NULL);
    for (int i = 0; i < WORKERS; i++)
        thrd_create(&workers[i], worker, NULL);
    for (int i = 0; i < WORKERS; i++)
        thrd_join(workers[i], NULL);
    mtx_lock(&lock);
    stop = true;
    mtx_unlock(&lock);
    cnd_signal(&wakeup);
    thrd_join(scribe, NULL);
    assert(lines_written == WORKERS); //~ assertions
    return 0;
}
