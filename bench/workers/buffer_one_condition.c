// expect: UNSAFE deadlocks
// expect WORKERS=1: SAFE
// family: channels and pipelines
// A buffer of one place with one condition variable for both sides, and signal: a consumer may wake
// another consumer where it should have woken a producer.
#include <assert.h>
#include <threads.h>
#ifndef WORKERS
#define WORKERS 2
#endif

static struct {
    mtx_t lock;
    cnd_t changed;
    int full, value;
} place;

static void put(int value) {
    mtx_lock(&place.lock);
    while (place.full)
        cnd_wait(&place.changed, &place.lock); //~ deadlocks
    place.full = 1;
    place.value = value;
    cnd_signal(&place.changed);
    mtx_unlock(&place.lock);
}

static int take(void) {
    mtx_lock(&place.lock);
    while (!place.full)
        cnd_wait(&place.changed, &place.lock); //~ deadlocks
    place.full = 0;
    int value = place.value;
    cnd_signal(&place.changed);
    mtx_unlock(&place.lock);
    return value;
}

static int producer(void *arg) {
    put(*(int *)arg);
    return 0;
}

static int consumer(void *arg) {
    (void)arg;
    int value = take();
    assert(value >= 1 && value <= WORKERS);
    return value;
}

int main(void) {
    thrd_t producers[WORKERS], consumers[WORKERS];
    int values[WORKERS], sum = 0;
    mtx_init(&place.lock, mtx_plain);
    cnd_init(&place.changed);
    for (int i = 0; i < WORKERS; i++) {
        values[i] = i + 1;
        thrd_create(&producers[i], producer, &values[i]);
        thrd_create(&consumers[i], consumer, 0);
    }
    for (int i = 0; i < WORKERS; i++) {
        int got;
        thrd_join(producers[i], 0); //~ deadlocks
        thrd_join(consumers[i], &got); //~ deadlocks
        sum += got;
    }
    assert(sum == WORKERS * (WORKERS + 1) / 2);
    cnd_destroy(&place.changed);
    mtx_destroy(&place.lock);
    return 0;
}
