// args: --property deadlocks
// expect: SAFE
// Threads that wait for a semaphore and for a pipe end when they are cancelled.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

sem_t s;
int ends[2];

void *at_semaphore(void *arg) {
    sem_wait(&s);
    return arg;
}

void *at_pipe(void *arg) {
    char byte;
    read(ends[0], &byte, 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 0);
    if (pipe(ends))
        return 1;
    pthread_create(&a, 0, at_semaphore, 0);
    pthread_create(&b, 0, at_pipe, 0);
    pthread_cancel(a);
    pthread_cancel(b);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
