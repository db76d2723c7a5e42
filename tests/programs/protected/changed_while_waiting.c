// args: --property assertions --property races
// expect: UNSAFE assertions
// Waiting on a condition variable releases the mutex: what was read before may have changed.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready, count;

void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    int before = count;
    while (!ready) {
        pthread_cond_wait(&changed, &m);
    }
    int after = count;
    pthread_mutex_unlock(&m);
    assert(before == after); //~ assertions
    return arg;
}

void *signaller(void *arg) {
    pthread_mutex_lock(&m);
    count = 3;
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, waiter, 0);
    pthread_create(&u, 0, signaller, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
