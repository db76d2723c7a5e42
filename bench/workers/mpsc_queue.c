// expect: SAFE
// family: lock-free queues
// An intrusive queue with many producers and one consumer: a producer exchanges the newest node and
// then links it; between the two the consumer sees a gap and waits for the link.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define EACH 2

struct link {
    _Atomic(struct link *) next;
};

struct item {
    struct link link; // first: a pointer to it is one to the item
    int producer, number;
};

static struct {
    _Atomic(struct link *) newest;
    struct link *oldest;
    struct link stub;
} queue;

static struct item items[WORKERS][EACH];

static void queue_init(void) {
    atomic_init(&queue.stub.next, NULL);
    atomic_init(&queue.newest, &queue.stub);
    queue.oldest = &queue.stub;
}

static void queue_push(struct link *n) {
    atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
    struct link *before = atomic_exchange_explicit(&queue.newest, n, memory_order_acq_rel);
    atomic_store_explicit(&before->next, n, memory_order_release);
}

static struct item *queue_pop(void) {
    struct link *next;
    while (!(next = atomic_load_explicit(&queue.oldest->next, memory_order_acquire)))
        ;
    queue.oldest = next;
    return (struct item *)next;
}

static void *producer(void *arg) {
    int me = (int)(long)arg;
    for (int i = 0; i < EACH; i++) {
        items[me][i].producer = me;
        items[me][i].number = i;
        queue_push(&items[me][i].link);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    int next_of[WORKERS] = {0};
    queue_init();
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, producer, (void *)i);
    for (int i = 0; i < WORKERS * EACH; i++) {
        struct item *item = queue_pop();
        assert(item->number == next_of[item->producer]);
        next_of[item->producer]++;
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&queue.newest) == queue.oldest);
    return 0;
}
