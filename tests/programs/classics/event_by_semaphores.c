// expect: SAFE
// Two threads meet: each tells the other that it has come, then waits.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t here[2];
int data[2];

void *run(void *arg) {
    long i = (long)arg;
    data[i] = (int)i + 1;
    sem_post(&here[i]);
    sem_wait(&here[1 - i]);
    assert(data[1 - i] == 2 - (int)i);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&here[0], 0, 0);
    sem_init(&here[1], 0, 0);
    pthread_create(&t, 0, run, (void *)1);
    run((void *)0);
    pthread_join(t, 0);
    return 0;
}
