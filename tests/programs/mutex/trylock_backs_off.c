// args: --property deadlocks --property locks
// expect: SAFE
// Who cannot get the second mutex at once gives up the first.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0)
        pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

void *one(void *arg) {
    both(&a, &b);
    return arg;
}

void *two(void *arg) {
    both(&b, &a);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
