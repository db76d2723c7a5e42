// args: --property deadlocks,locks
// expect: UNSAFE deadlocks
// A thread that is cancelled in a wait holds the mutex again; nobody gives it back.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    pthread_mutex_lock(&m); //~ deadlocks
    pthread_mutex_unlock(&m);
    return 0;
}
