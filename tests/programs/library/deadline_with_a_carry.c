// args: --property assertions
// expect: SAFE
// A deadline that was computed as it should be; one that is none does not matter to who need not wait.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
sem_t tokens;

int main(void) {
    struct timespec until, none = {0, -1};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 500000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&lock);
    int error = pthread_cond_timedwait(&changed, &lock, &until);
    assert(error == 0 || error == ETIMEDOUT);
    assert(pthread_cond_timedwait(&changed, &lock, &none) == EINVAL);
    pthread_mutex_unlock(&lock);
    assert(pthread_mutex_timedlock(&lock, &none) == 0);
    pthread_mutex_unlock(&lock);
    sem_init(&tokens, 0, 1);
    assert(sem_timedwait(&tokens, &none) == 0);
    assert(sem_timedwait(&tokens, &none) == -1 && errno == EINVAL);
    assert(nanosleep(&none, 0) == -1 && errno == EINVAL);
    return 0;
}
