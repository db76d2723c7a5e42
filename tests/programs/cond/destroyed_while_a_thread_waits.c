// Nobody has woken the thread that waits when its condition variable is destroyed.
// args: --property locks
// args auto: --unwind 2
// args staged: --unwind 2
// expect: UNSAFE locks
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int done;

void *wait(void *arg) {
    pthread_mutex_lock(&mutex);
    if (!done)
        pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&ready); //~ locks
    return 0;
}
