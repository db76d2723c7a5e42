// args: --property memory --property leaks --property races
// expect: SAFE
// The consumer frees what the producer allocated.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t full;
int *box;

void *produce(void *arg) {
    box = malloc(sizeof *box);
    *box = 5;
    sem_post(&full);
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&full, 0, 0);
    pthread_create(&t, 0, produce, 0);
    sem_wait(&full);
    int value = *box;
    free(box);
    pthread_join(t, 0);
    return value - 5;
}
