// args: --property deadlocks
// expect: UNSAFE deadlocks
// Two threads wait, one post comes.
#include <pthread.h>
#include <semaphore.h>

sem_t s;

void *run(void *arg) {
    sem_wait(&s); //~ deadlocks
    return arg;
}

int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    sem_post(&s);
    pthread_join(t, 0); //~ deadlocks
    pthread_join(u, 0); //~ deadlocks
    return 0;
}
