// args: --property assertions --property races --property deadlocks
// expect: SAFE
// Both results of a timed lock are handled.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *run(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    struct timespec time = {0, 0};
    pthread_create(&t, 0, run, 0);
    int result = pthread_mutex_timedlock(&m, &time);
    if (result == 0) {
        x++;
        pthread_mutex_unlock(&m);
    } else {
        assert(result == ETIMEDOUT);
    }
    pthread_join(t, 0);
    assert(x == (result == 0 ? 2 : 1));
    return 0;
}
