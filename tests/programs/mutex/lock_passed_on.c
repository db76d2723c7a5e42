// args: --property assertions --property races
// expect: SAFE
// A helper locks, the caller unlocks.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

int *enter(void) {
    pthread_mutex_lock(&m);
    return &x;
}

void *run(void *arg) {
    int *p = enter();
    *p += 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    run(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
