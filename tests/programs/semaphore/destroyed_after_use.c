// Who has waited may destroy the semaphore.
// args: --property locks,memory,deadlocks
// expect: SAFE
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t *semaphore;

void *post(void *arg) {
    sem_post(semaphore);
    return arg;
}

int main(void) {
    pthread_t t;
    semaphore = malloc(sizeof *semaphore);
    sem_init(semaphore, 0, 0);
    pthread_create(&t, 0, post, 0);
    sem_wait(semaphore);
    sem_destroy(semaphore);
    free(semaphore);
    pthread_join(t, 0);
    return 0;
}
