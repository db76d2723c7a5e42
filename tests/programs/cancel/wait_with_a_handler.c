// args: --property deadlocks,locks,races
// expect: SAFE
// A thread that waits for ever ends when it is cancelled, and its handler holds the mutex.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, waiting;

void leave(void *arg) {
    waiting--;
    pthread_mutex_unlock(&m);
}

void *work(void *arg) {
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cleanup_push(leave, 0);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    waiting = waiting + 0;
    pthread_mutex_unlock(&m);
    pthread_cancel(t);
    pthread_join(t, 0);
    return waiting;
}
