// expect: SAFE
// family: locks and initialisation
// The queue lock of Mellor-Crummey and Scott: each thread spins on a flag in its own node, on its
// own stack.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_bool must_wait;
};

struct mcs {
    _Atomic(struct waiter *) last;
};

static struct mcs lock;
static int balance[2] = {50, 50};

static void mcs_acquire(struct mcs *l, struct waiter *me) {
    atomic_store(&me->next, NULL);
    atomic_store(&me->must_wait, true);
    struct waiter *before = atomic_exchange(&l->last, me);
    if (!before)
        return;
    atomic_store(&before->next, me);
    while (atomic_load(&me->must_wait))
        ;
}

static void mcs_release(struct mcs *l, struct waiter *me) {
    struct waiter *after = atomic_load(&me->next);
    if (!after) {
        struct waiter *expected = me;
        if (atomic_compare_exchange_strong(&l->last, &expected, NULL))
            return;
        while (!(after = atomic_load(&me->next)))
            ;
    }
    atomic_store(&after->must_wait, false);
}

static void *transfer(void *arg) {
    int amount = (int)(long)arg;
    struct waiter me;
    mcs_acquire(&lock, &me);
    balance[0] -= amount;
    balance[1] += amount;
    assert(balance[0] + balance[1] == 100);
    mcs_release(&lock, &me);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, transfer, (void *)(i + 1));
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(balance[1] == 50 + WORKERS * (WORKERS + 1) / 2);
    return 0;
}
