// args: --property deadlocks
// expect: UNSAFE deadlocks
// A signal without a flag is lost if nobody waits yet.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *produce(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m); //~ deadlocks
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
