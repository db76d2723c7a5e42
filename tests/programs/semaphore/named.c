// args: --property races,deadlocks,assertions
// expect: SAFE
// Two threads open the same semaphore by its name.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

int x;

void *produce(void *arg) {
    sem_t *s = sem_open("/ready", O_CREAT, 0600, 0);
    x = 1;
    sem_post(s);
    return arg;
}

int main(void) {
    pthread_t t;
    sem_t *s = sem_open("/ready", O_CREAT, 0600, 0);
    pthread_create(&t, 0, produce, 0);
    sem_wait(s);
    assert(x == 1);
    pthread_join(t, 0);
    return 0;
}
