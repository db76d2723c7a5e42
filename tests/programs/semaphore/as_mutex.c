// args: --property assertions --property races
// expect: SAFE
// A semaphore with value 1 protects a counter.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;

void *run(void *arg) {
    sem_wait(&s);
    x++;
    sem_post(&s);
    return arg;
}

int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    sem_destroy(&s);
    assert(x == 2);
    return 0;
}
