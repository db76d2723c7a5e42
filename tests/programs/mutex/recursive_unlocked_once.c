// args: --property deadlocks
// expect: UNSAFE deadlocks
// Locked twice, unlocked once: the other thread waits for ever.
#define _GNU_SOURCE
#include <pthread.h>

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void *greedy(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, greedy, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&m); //~ deadlocks
    pthread_mutex_unlock(&m);
    return 0;
}
