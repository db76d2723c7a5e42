// args: --property deadlocks
// expect: SAFE
// While a thread waits, others can take the mutex.
#include <pthread.h>

pthread_mutex_t m;
pthread_cond_t c;
int step;

void *run(void *arg) {
    pthread_mutex_lock(&m);
    step = 1;
    pthread_cond_broadcast(&c);
    while (step != 2)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutex_init(&m, 0);
    pthread_cond_init(&c, 0);
    pthread_create(&t, 0, run, 0);
    pthread_mutex_lock(&m);
    while (step != 1)
        pthread_cond_wait(&c, &m);
    step = 2;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    pthread_cond_destroy(&c);
    pthread_mutex_destroy(&m);
    return 0;
}
