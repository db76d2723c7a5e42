// args: --property memory
// expect: SAFE
// The thread that exits is told that nobody looks at its variable any more.
#include <pthread.h>
#include <semaphore.h>

int *p;
sem_t published, looked;

static void leave(void) {
    sem_post(&published);
    sem_wait(&looked);
    pthread_exit(0);
}

void *run(void *arg) {
    int local = 1;
    p = &local;
    leave();
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&published, 0, 0);
    sem_init(&looked, 0, 0);
    pthread_create(&t, 0, run, 0);
    sem_wait(&published);
    int seen = *p;
    sem_post(&looked);
    pthread_join(t, 0);
    return seen;
}
