// The thread may have come and wait, or come too late.
// args: --property locks
// expect: UNSAFE locks
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore;

void *wait(void *arg) {
    sem_wait(&semaphore); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&semaphore, 0, 0);
    pthread_create(&t, 0, wait, 0);
    sem_destroy(&semaphore); //~ locks
    return 0;
}
