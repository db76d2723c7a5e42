// args: --property races
// expect: UNSAFE races
// A semaphore with value 2 lets both threads in.
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;

void *run(void *arg) {
    sem_wait(&s);
    x++; //~ races
    sem_post(&s);
    return arg;
}

int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 2);
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
