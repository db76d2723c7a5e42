// expect: SAFE
// A semaphore lets two of the three to the table.
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t fork_[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_MUTEX_INITIALIZER};
sem_t seats;

void *dine(void *arg) {
    long i = (long)arg;
    sem_wait(&seats);
    pthread_mutex_lock(&fork_[i]);
    pthread_mutex_lock(&fork_[(i + 1) % 3]);
    pthread_mutex_unlock(&fork_[(i + 1) % 3]);
    pthread_mutex_unlock(&fork_[i]);
    sem_post(&seats);
    return 0;
}

int main(void) {
    pthread_t t[3];
    sem_init(&seats, 0, 2);
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, dine, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
