// args: --property deadlocks
// expect: UNSAFE deadlocks
// Two threads wait for each other while a third one goes on: a local deadlock.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int ticks;

void *one(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ deadlocks
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

void *two(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //~ deadlocks
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    ticks = 1;
    return 0;
}
