// args: --property deadlocks
// expect: SAFE
// A timed wait ends without a signal.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec time = {0, 0};
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &time);
    pthread_mutex_unlock(&m);
    return 0;
}
