// args: --property assertions
// expect: UNSAFE assertions
// A timed lock may give up while another thread holds the mutex.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *run(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    struct timespec time = {0, 0};
    pthread_create(&t, 0, run, 0);
    int result = pthread_mutex_timedlock(&m, &time);
    assert(result == 0); //~ assertions
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
