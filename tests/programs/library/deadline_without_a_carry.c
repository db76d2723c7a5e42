// args: --property assertions
// expect: UNSAFE assertions
// A deadline with more than a second of nanoseconds is none: the wait fails at once, and does not wait.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 500000000;
    pthread_mutex_lock(&lock);
    int error = pthread_cond_timedwait(&changed, &lock, &until);
    pthread_mutex_unlock(&lock);
    assert(error == 0 || error == ETIMEDOUT); //~ assertions
    return 0;
}
