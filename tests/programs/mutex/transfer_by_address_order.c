// args: --property deadlocks --property races --property assertions
// expect: SAFE
// Accounts are locked in the order of their addresses.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account first = {PTHREAD_MUTEX_INITIALIZER, 10};
struct account second = {PTHREAD_MUTEX_INITIALIZER, 10};

void transfer(struct account *from, struct account *to) {
    struct account *low = from < to ? from : to, *high = from < to ? to : from;
    pthread_mutex_lock(&low->lock);
    pthread_mutex_lock(&high->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&high->lock);
    pthread_mutex_unlock(&low->lock);
}

void *run(void *arg) {
    transfer(&first, &second);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    transfer(&second, &first);
    pthread_join(t, 0);
    assert(first.balance == 10 && second.balance == 10);
    return 0;
}
