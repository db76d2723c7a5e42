// args: --property deadlocks
// expect: UNSAFE deadlocks
// One condition variable for both sides: the signal may wake a thread of the wrong side.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int count;

void *put(void *arg) {
    pthread_mutex_lock(&m);
    while (count == 1)
        pthread_cond_wait(&changed, &m); //~ deadlocks
    count++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return arg;
}

void *get(void *arg) {
    pthread_mutex_lock(&m);
    while (count == 0)
        pthread_cond_wait(&changed, &m); //~ deadlocks
    count--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t p, q, c;
    pthread_create(&p, 0, put, 0);
    pthread_create(&q, 0, put, 0);
    pthread_create(&c, 0, get, 0);
    get(0);
    pthread_join(p, 0); //~ deadlocks
    pthread_join(q, 0); //~ deadlocks
    pthread_join(c, 0);
    return 0;
}
