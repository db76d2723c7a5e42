// args: --property assertions --property deadlocks --property locks
// expect: SAFE
// An error-checking mutex answers misuse with an error.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

void *run(void *arg) {
    int result = pthread_mutex_unlock(&m);
    assert(result == EPERM);
    return arg;
}

int main(void) {
    pthread_t t;
    int result = pthread_mutex_lock(&m);
    assert(result == 0);
    result = pthread_mutex_lock(&m);
    assert(result == EDEADLK);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    result = pthread_mutex_unlock(&m);
    assert(result == 0);
    return 0;
}
