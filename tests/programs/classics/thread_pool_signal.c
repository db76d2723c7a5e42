// expect: UNSAFE deadlocks
// Closing the queue with a signal leaves a worker asleep.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int jobs, closed;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    while (jobs == 0 && !closed)
        pthread_cond_wait(&c, &m); //~ deadlocks
    if (jobs > 0)
        jobs--;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_mutex_lock(&m);
    jobs = 1;
    closed = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0); //~ deadlocks
    pthread_join(u, 0); //~ deadlocks
    return 0;
}
