// expect: UNSAFE deadlocks
// The consumer does not tell that there is room again.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int count;

void put(void) {
    pthread_mutex_lock(&m);
    while (count == 1)
        pthread_cond_wait(&not_full, &m); //~ deadlocks
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
}

void get(void) {
    pthread_mutex_lock(&m);
    while (count == 0)
        pthread_cond_wait(&not_empty, &m); //~ deadlocks
    count--;
    pthread_mutex_unlock(&m);
}

void *produce(void *arg) {
    put();
    put();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    get();
    get();
    pthread_join(t, 0);
    return 0;
}
