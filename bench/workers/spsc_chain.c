// expect: SAFE
// family: channels and pipelines
// C11 threads in a chain, connected by single-producer single-consumer rings of one slot with a
// full flag; each adds one and passes on.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define MESSAGES 2

typedef struct slot {
    atomic_bool full;
    int value;
} slot_t;

static slot_t slots[WORKERS + 1];

static void slot_put(slot_t *s, int value) {
    while (atomic_load_explicit(&s->full, memory_order_acquire))
        thrd_yield();
    s->value = value;
    atomic_store_explicit(&s->full, 1, memory_order_release);
}

static int slot_get(slot_t *s) {
    while (!atomic_load_explicit(&s->full, memory_order_acquire))
        thrd_yield();
    int value = s->value;
    atomic_store_explicit(&s->full, 0, memory_order_release);
    return value;
}

static int relay(void *arg) {
    slot_t *in = arg;
    for (int i = 0; i < MESSAGES; i++)
        slot_put(in + 1, slot_get(in) + 1);
    return 0;
}

static int feed(void *arg) {
    (void)arg;
    for (int i = 0; i < MESSAGES; i++)
        slot_put(&slots[0], 100 * i);
    return MESSAGES;
}

int main(void) {
    thrd_t threads[WORKERS], feeder;
    for (int i = 0; i < WORKERS; i++)
        if (thrd_create(&threads[i], relay, &slots[i]) != thrd_success)
            return 1;
    if (thrd_create(&feeder, feed, 0) != thrd_success)
        return 1;
    for (int i = 0; i < MESSAGES; i++)
        assert(slot_get(&slots[WORKERS]) == 100 * i + WORKERS);
    int sent;
    thrd_join(feeder, &sent);
    assert(sent == MESSAGES);
    for (int i = 0; i < WORKERS; i++)
        thrd_join(threads[i], 0);
    return 0;
}
