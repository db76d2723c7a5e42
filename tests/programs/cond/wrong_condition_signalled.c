// args: --property deadlocks
// expect: UNSAFE deadlocks
// The waiter waits on one condition variable, the signal goes to another.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
int items;

void *produce(void *arg) {
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    pthread_mutex_lock(&m);
    while (items == 0)
        pthread_cond_wait(&full, &m); //~ deadlocks
    items--;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
