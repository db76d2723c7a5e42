// args: --property deadlocks --property assertions
// expect: SAFE
// Two threads take turns.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ping, pong;
int x;

void *run(void *arg) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&ping);
        assert(x == 2 * i + 1);
        x++;
        sem_post(&pong);
    }
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&t, 0, run, 0);
    for (int i = 0; i < 2; i++) {
        x++;
        sem_post(&ping);
        sem_wait(&pong);
        assert(x == 2 * i + 2);
    }
    pthread_join(t, 0);
    return 0;
}
