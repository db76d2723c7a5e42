// args: --property deadlocks
// expect: UNSAFE deadlocks
// The flag changes between the test and the wait, and the signal is missed.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
atomic_int ready;

void *produce(void *arg) {
    ready = 1;
    pthread_cond_signal(&c);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m); //~ deadlocks
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
