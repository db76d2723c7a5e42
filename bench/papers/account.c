// The bank account (paper 004): one account, THREADS - 1 customers (11 and 21 threads in the paper).
//
// Each customer pays in, takes out if there is enough, and asks for the balance. MISTAKE: asking does not lock.
// THREADS (11, with main), ROUNDS (1)
#include <assert.h>
#include <pthread.h>
#ifndef THREADS
#define THREADS 11
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
enum { CUSTOMERS = THREADS - 1 };

typedef struct {
    pthread_mutex_t lock;
    int balance, movements;
} account;

static account bank = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void pay_in(account *a, int amount) {
    pthread_mutex_lock(&a->lock);
    a->balance += amount;
    a->movements++;
    pthread_mutex_unlock(&a->lock);
}

static int take_out(account *a, int amount) {
    int done = 0;
    pthread_mutex_lock(&a->lock);
    if (a->balance >= amount) {
        a->balance -= amount;
        a->movements++;
        done = 1;
    }
    pthread_mutex_unlock(&a->lock);
    return done;
}

static int ask(account *a) {
#ifdef MISTAKE
    return a->balance;
#else
    pthread_mutex_lock(&a->lock);
    int balance = a->balance;
    pthread_mutex_unlock(&a->lock);
    return balance;
#endif
}

static void *customer(void *number) {
    int amount = 10 + (int)(long)number;
    for (int i = 0; i < ROUNDS; i++) {
        pay_in(&bank, amount);
        take_out(&bank, amount);
        if (ask(&bank) < 0)
            return (void *)1;
    }
    return 0;
}

int main(void) {
    pthread_t customers[CUSTOMERS];
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_create(&customers[i], 0, customer, (void *)(long)i);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(customers[i], 0);
    return 0;
}
