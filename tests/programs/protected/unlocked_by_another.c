// args: --property assertions --property races
// expect: UNSAFE assertions
// A mutex that is unlocked by somebody else keeps nobody out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int x;

void *holder(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    int seen = x;
    pthread_mutex_unlock(&m);
    assert(seen == 1); //~ assertions
    return arg;
}

void *intruder(void *arg) {
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, holder, 0);
    pthread_create(&u, 0, intruder, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
