/*
 * Two tellers book into one account. Each booking reads the balance, checks it and writes it back; the
 * check and the write each take the lock, but not both together.
 *
 *     raddle check examples/lost_update.c
 */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account account = {PTHREAD_MUTEX_INITIALIZER, 100};

static int read_balance(struct account *a) {
    pthread_mutex_lock(&a->lock);
    int balance = a->balance;
    pthread_mutex_unlock(&a->lock);
    return balance;
}

static void write_balance(struct account *a, int balance) {
    pthread_mutex_lock(&a->lock);
    a->balance = balance;
    pthread_mutex_unlock(&a->lock);
}

static void *deposit(void *amount) {
    int balance = read_balance(&account);
    /* Another teller may book here. */
    write_balance(&account, balance + *(int *)amount);
    return 0;
}

int main(void) {
    pthread_t first, second;
    int ten = 10, twenty = 20;

    pthread_create(&first, 0, deposit, &ten);
    pthread_create(&second, 0, deposit, &twenty);
    pthread_join(first, 0);
    pthread_join(second, 0);

    assert(read_balance(&account) == 130);
    return 0;
}
