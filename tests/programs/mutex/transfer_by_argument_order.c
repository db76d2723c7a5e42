// args: --property deadlocks
// expect: UNSAFE deadlocks
// Accounts are locked in the order of the arguments.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account first = {PTHREAD_MUTEX_INITIALIZER, 10};
struct account second = {PTHREAD_MUTEX_INITIALIZER, 10};

void transfer(struct account *from, struct account *to) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock); //~ deadlocks
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
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
    return 0;
}
