// expect: SAFE
// The first reader locks the writers out, the last one lets them in.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
sem_t room;
int readers, a, b;

void *read_both(void *arg) {
    pthread_mutex_lock(&m);
    if (++readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&m);
    assert(a == b);
    pthread_mutex_lock(&m);
    if (--readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    sem_init(&room, 0, 1);
    pthread_create(&t, 0, read_both, 0);
    pthread_create(&u, 0, read_both, 0);
    sem_wait(&room);
    a++;
    b++;
    sem_post(&room);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
