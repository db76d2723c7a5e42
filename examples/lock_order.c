/*
 * Transfers between two accounts take the lock of the source first, then that of the target. Two
 * transfers in opposite directions wait for each other for ever.
 *
 *     raddle check examples/lock_order.c
 */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 500};
static struct account current = {PTHREAD_MUTEX_INITIALIZER, 80};

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *pay_rent(void *unused) {
    transfer(&savings, &current, 300);
    return unused;
}

static void *save(void *unused) {
    transfer(&current, &savings, 20);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, pay_rent, 0);
    pthread_create(&second, 0, save, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return savings.balance + current.balance == 580 ? 0 : 1;
}
