// args: --property assertions --property races
// expect: UNSAFE assertions
// A value is left when either of two mutexes is released, not only at the end of the outer section.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void twice(pthread_mutex_t *outer, pthread_mutex_t *inner, int *value) {
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    *value = 1;
    pthread_mutex_unlock(inner);
    pthread_mutex_lock(inner);
    *value = 2;
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}

void *writer(void *arg) {
    twice(&m, &n, &x);
    twice(&n, &m, &y);
    return arg;
}

void *reader(void *arg) {
    pthread_mutex_lock(&n);
    int seen = x;
    pthread_mutex_unlock(&n);
    assert(seen != 1); //~ assertions
    pthread_mutex_lock(&m);
    seen = y;
    pthread_mutex_unlock(&m);
    assert(seen != 1); //~ assertions
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
