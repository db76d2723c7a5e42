// args: --property deadlocks
// expect: SAFE
// Two readers meet inside the lock; it would deadlock if they excluded each other.
#include <pthread.h>
#include <semaphore.h>

pthread_rwlock_t l;
sem_t one, two;

void *run(void *arg) {
    pthread_rwlock_rdlock(&l);
    sem_post(&one);
    sem_wait(&two);
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_init(&l, 0);
    sem_init(&one, 0, 0);
    sem_init(&two, 0, 0);
    pthread_create(&t, 0, run, 0);
    pthread_rwlock_rdlock(&l);
    sem_wait(&one);
    sem_post(&two);
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    pthread_rwlock_destroy(&l);
    return 0;
}
