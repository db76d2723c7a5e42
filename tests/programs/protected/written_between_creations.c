// args: --property assertions --property races
// expect: UNSAFE assertions
// Main writes before it creates the second thread, after it created the first: no value of the start.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int mode = 4, other;

void *idle(void *arg) {
    pthread_mutex_lock(&m);
    other = mode;
    pthread_mutex_unlock(&m);
    return arg;
}

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    int seen = mode;
    mode = seen + 1;
    int now = mode;
    pthread_mutex_unlock(&m);
    assert(now == seen + 1);
    assert(seen == 6);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, idle, 0);
    pthread_mutex_lock(&m);
    mode = 6;
    pthread_mutex_unlock(&m);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(mode == 7);
    assert(other != 4 && other != 6); //~ assertions
    return 0;
}
