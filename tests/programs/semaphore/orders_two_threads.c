// args: --property assertions --property races
// expect: SAFE
// The second thread waits for the first.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;

void *first(void *arg) {
    x = 3;
    sem_post(&s);
    return arg;
}

void *second(void *arg) {
    sem_wait(&s);
    x *= 2;
    return arg;
}

int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, second, 0);
    pthread_create(&u, 0, first, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 6);
    return 0;
}
