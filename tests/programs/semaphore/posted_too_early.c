// args: --property races
// expect: UNSAFE races
// The post comes before the write it should announce.
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;

void *first(void *arg) {
    sem_post(&s);
    x = 3; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, first, 0);
    sem_wait(&s);
    int seen = x; //~ races
    pthread_join(t, 0);
    return seen;
}
