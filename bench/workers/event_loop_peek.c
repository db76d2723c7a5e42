// expect: UNSAFE races
// family: event loops and actors
// An event loop that looks at the length of its queue without the lock, to save the lock when there is
// nothing to do.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef void (*callback_t)(int);

struct event {
    callback_t callback;
    int argument;
};

static struct event queue[WORKERS];
static int length;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ticks;

static void post(callback_t callback, int argument) {
    pthread_mutex_lock(&mutex);
    queue[length].callback = callback;
    queue[length].argument = argument;
    length++; //~ races
    pthread_mutex_unlock(&mutex);
}

static void on_tick(int amount) { ticks += amount; }

static void *source(void *arg) {
    (void)arg;
    post(on_tick, 1);
    return 0;
}

static int drain(void) {
    struct event batch[WORKERS];
    int count = 0;
    if (length == 0) //~ races
        return 0;
    pthread_mutex_lock(&mutex);
    while (count < length) {
        batch[count] = queue[count];
        count++;
    }
    length = 0;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < count; i++)
        batch[i].callback(batch[i].argument);
    return count;
}

int main(void) {
    pthread_t threads[WORKERS];
    int handled = 0;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, source, 0);
    while (handled < WORKERS) {
        handled += drain();
        sched_yield();
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    assert(ticks == WORKERS);
    return 0;
}
