// expect: SAFE
// family: event loops and actors
// A reactor with timers: threads insert timers into a list sorted by deadline; the reactor fires
// the earliest when all threads have armed theirs, and time never runs backwards.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef void (*handler_fn)(void *);

struct timer {
    struct timer *next;
    int deadline;
    handler_fn handler;
    void *context;
};

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t armed;
    struct timer *timers;
    int clients;
    int now;
} reactor = {.mutex = PTHREAD_MUTEX_INITIALIZER, .armed = PTHREAD_COND_INITIALIZER};

static int fired[WORKERS];

static void arm(int deadline, handler_fn handler, void *context) {
    struct timer *timer = malloc(sizeof *timer);
    timer->deadline = deadline;
    timer->handler = handler;
    timer->context = context;
    pthread_mutex_lock(&reactor.mutex);
    struct timer **place = &reactor.timers;
    while (*place && (*place)->deadline <= deadline)
        place = &(*place)->next;
    timer->next = *place;
    *place = timer;
    reactor.clients++;
    pthread_cond_signal(&reactor.armed);
    pthread_mutex_unlock(&reactor.mutex);
}

static void mark(void *context) { ++*(int *)context; }

static void *client(void *arg) {
    int *flag = arg;
    int index = (int)(flag - fired);
    arm(10 * (WORKERS - index), mark, flag);
    return 0;
}

static void reactor_run(void) {
    pthread_mutex_lock(&reactor.mutex);
    while (reactor.clients < WORKERS)
        pthread_cond_wait(&reactor.armed, &reactor.mutex);
    struct timer *timer;
    while ((timer = reactor.timers)) {
        reactor.timers = timer->next;
        assert(reactor.now <= timer->deadline);
        reactor.now = timer->deadline;
        pthread_mutex_unlock(&reactor.mutex);
        timer->handler(timer->context);
        free(timer);
        pthread_mutex_lock(&reactor.mutex);
    }
    pthread_mutex_unlock(&reactor.mutex);
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, client, &fired[i]);
    reactor_run();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < WORKERS; i++)
        assert(fired[i] == 1);
    assert(reactor.now == 10 * WORKERS);
    return 0;
}
