// args: --property deadlocks,locks
// expect: SAFE
// A thread that is cancelled while it joins has not joined: another one can.
#include <pthread.h>
#include <semaphore.h>

pthread_t worker;
sem_t s;

void *work(void *arg) {
    sem_wait(&s);
    return arg;
}

void *join(void *arg) {
    pthread_join(worker, 0);
    return arg;
}

int main(void) {
    pthread_t joiner;
    void *result;
    sem_init(&s, 0, 0);
    pthread_create(&worker, 0, work, 0);
    pthread_create(&joiner, 0, join, 0);
    pthread_cancel(joiner);
    pthread_join(joiner, &result);
    sem_post(&s);
    if (result == PTHREAD_CANCELED)
        pthread_join(worker, 0);
    return 0;
}
