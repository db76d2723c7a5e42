// expect: SAFE
// family: lock-free queues
// The queue of Michael and Scott; nodes that were dequeued are freed when all threads have ended.
// Each worker enqueues one value and dequeues one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct node {
    _Atomic(struct node *) next;
    int value;
};

static struct {
    _Atomic(struct node *) head, tail;
} queue;

static struct node *old_dummy[WORKERS];
static int received[WORKERS];

static struct node *node_new(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}

static void enqueue(int value) {
    struct node *n = node_new(value);
    for (;;) {
        struct node *tail = atomic_load(&queue.tail);
        struct node *next = atomic_load(&tail->next);
        if (tail != atomic_load(&queue.tail))
            continue;
        if (next) {
            atomic_compare_exchange_strong(&queue.tail, &tail, next);
        } else if (atomic_compare_exchange_strong(&tail->next, &next, n)) {
            atomic_compare_exchange_strong(&queue.tail, &tail, n);
            return;
        }
    }
}

static bool dequeue(int *value, struct node **unlinked) {
    for (;;) {
        struct node *head = atomic_load(&queue.head);
        struct node *tail = atomic_load(&queue.tail);
        struct node *next = atomic_load(&head->next);
        if (head != atomic_load(&queue.head))
            continue;
        if (!next)
            return false;
        if (head == tail) {
            atomic_compare_exchange_strong(&queue.tail, &tail, next);
            continue;
        }
        *value = next->value;
        if (atomic_compare_exchange_strong(&queue.head, &head, next)) {
            *unlinked = head;
            return true;
        }
    }
}

static void *worker(void *arg) {
    int me = (int)(long)arg;
    enqueue(me + 1);
    bool got = dequeue(&received[me], &old_dummy[me]);
    assert(got);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    struct node *dummy = node_new(0);
    atomic_init(&queue.head, dummy);
    atomic_init(&queue.tail, dummy);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    int sum = 0;
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        sum += received[i];
    }
    for (int i = 0; i < WORKERS; i++)
        free(old_dummy[i]);
    assert(sum == WORKERS * (WORKERS + 1) / 2);
    assert(atomic_load(&queue.head) == atomic_load(&queue.tail));
    free(atomic_load(&queue.head));
    return 0;
}
