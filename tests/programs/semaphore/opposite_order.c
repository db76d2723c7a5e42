// args: --property deadlocks
// expect: UNSAFE deadlocks
// Two semaphores taken in opposite orders.
#include <pthread.h>
#include <semaphore.h>

sem_t a, b;

void *run(void *arg) {
    sem_wait(&a);
    sem_wait(&b); //~ deadlocks
    sem_post(&b);
    sem_post(&a);
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&t, 0, run, 0);
    sem_wait(&b);
    sem_wait(&a); //~ deadlocks
    sem_post(&a);
    sem_post(&b);
    pthread_join(t, 0);
    return 0;
}
