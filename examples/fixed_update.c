/*
 * The account of lost_update.c, mended: one critical section around the whole booking.
 *
 *     raddle check examples/fixed_update.c
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *deposit(void *amount) {
    pthread_mutex_lock(&lock);
    balance += *(int *)amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    int ten = 10, twenty = 20;

    pthread_create(&first, 0, deposit, &ten);
    pthread_create(&second, 0, deposit, &twenty);
    pthread_join(first, 0);
    pthread_join(second, 0);

    assert(balance == 130);
    return 0;
}
