// args: --property assertions --property races
// expect: SAFE
// A detached thread is not joined; a mutex orders the accesses.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *run(void *arg) {
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_attr_t attr;
    int state;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attr, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, run, 0);
    pthread_attr_destroy(&attr);
    pthread_mutex_lock(&m);
    assert(x == 0 || x == 2);
    pthread_mutex_unlock(&m);
    return 0;
}
