// args: --property deadlocks
// expect: UNSAFE deadlocks
// One of three threads that are alike is woken: it may be any of them, and main waits for another one.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int waiting, open;

void *wait_for_it(void *arg) {
    pthread_mutex_lock(&m);
    waiting++;
    while (!open)
        pthread_cond_wait(&c, &m); //~ deadlocks
    open = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, wait_for_it, 0);
    pthread_create(&u, 0, wait_for_it, 0);
    pthread_create(&v, 0, wait_for_it, 0);
    pthread_mutex_lock(&m);
    open = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0); //~ deadlocks
    pthread_join(u, 0); //~ deadlocks
    pthread_join(v, 0);
    return 0;
}
