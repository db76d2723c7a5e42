// args: --property deadlocks
// expect: UNSAFE deadlocks
// Only one of two that wait is cancelled.
#include <pthread.h>
#include <semaphore.h>

sem_t s;

void *work(void *arg) {
    sem_wait(&s); //~ deadlocks
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, 0);
    pthread_join(b, 0); //~ deadlocks
    return 0;
}
