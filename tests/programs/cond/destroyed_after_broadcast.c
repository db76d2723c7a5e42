// Once those who wait are woken the condition variable can be destroyed and freed, also if they have not left yet.
// args: --property memory,locks
// expect: SAFE
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t *ready;
int waits, done;

void *wait(void *arg) {
    pthread_mutex_lock(&mutex);
    if (!done) {
        waits = 1;
        pthread_cond_wait(ready, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t t;
    ready = malloc(sizeof *ready);
    pthread_cond_init(ready, 0);
    pthread_create(&t, 0, wait, 0);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_broadcast(ready);
    pthread_cond_destroy(ready);
    free(ready);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}
