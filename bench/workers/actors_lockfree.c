// expect: SAFE
// family: event loops and actors
// An actor with a lock-free mailbox: senders push onto an atomic list, the actor takes all of it with
// one exchange and turns it around. Each sender waits for the reply in its own request.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef WORKERS
#define WORKERS 2
#endif

struct request {
    struct request *next;
    int amount;
    int balance_after;
    atomic_bool answered;
};

static _Atomic(struct request *) mailbox;

static void send(struct request *r) {
    struct request *head = atomic_load(&mailbox);
    do
        r->next = head;
    while (!atomic_compare_exchange_weak(&mailbox, &head, r));
}

static struct request *receive_all(void) {
    struct request *newest;
    while (!(newest = atomic_exchange(&mailbox, NULL)))
        sched_yield();
    struct request *oldest = NULL;
    while (newest) {
        struct request *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

static void *account(void *arg) {
    int balance = 0, served = 0;
    while (served < WORKERS) {
        struct request *r = receive_all();
        while (r) {
            struct request *next = r->next; // r belongs to its sender once it is answered
            balance += r->amount;
            r->balance_after = balance;
            atomic_store(&r->answered, 1);
            served++;
            r = next;
        }
    }
    *(int *)arg = balance;
    return NULL;
}

static void *customer(void *arg) {
    struct request r = {.amount = (int)(long)arg};
    send(&r);
    while (!atomic_load(&r.answered))
        sched_yield();
    assert(r.balance_after >= r.amount);
    return NULL;
}

int main(void) {
    pthread_t bank, customers[WORKERS];
    int balance = -1;
    pthread_create(&bank, NULL, account, &balance);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&customers[i], NULL, customer, (void *)(i + 1));
    for (int i = 0; i < WORKERS; i++)
        pthread_join(customers[i], NULL);
    pthread_join(bank, NULL);
    assert(balance == WORKERS * (WORKERS + 1) / 2);
    return 0;
}
