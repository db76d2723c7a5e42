// args: --property assertions
// expect: UNSAFE assertions
// The flag may still be unset when the time is over.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *produce(void *arg) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    struct timespec time = {0, 0};
    int result = 0;
    pthread_create(&t, 0, produce, 0);
    pthread_mutex_lock(&m);
    while (!ready && result == 0)
        result = pthread_cond_timedwait(&c, &m, &time);
    assert(ready); //~ assertions
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
