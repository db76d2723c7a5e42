/*
 * A bounded buffer of one place. The consumer tests `full` without the lock and then waits: the
 * producer's signal can come between the test and the wait, and nobody wakes the consumer again.
 *
 *     raddle check --property deadlocks examples/lost_wakeup.c
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int full;
static int slot;

static int is_full(void) {
    pthread_mutex_lock(&lock);
    int result = full;
    pthread_mutex_unlock(&lock);
    return result;
}

static void *produce(void *unused) {
    pthread_mutex_lock(&lock);
    slot = 42;
    full = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *consume(void *unused) {
    if (!is_full()) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&not_empty, &lock); /* should be: while (!full) wait */
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    int item = slot;
    full = 0;
    pthread_mutex_unlock(&lock);
    return item ? unused : 0;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&consumer, 0, consume, 0);
    pthread_create(&producer, 0, produce, 0);
    pthread_join(producer, 0);
    pthread_join(consumer, 0);
    return 0;
}
