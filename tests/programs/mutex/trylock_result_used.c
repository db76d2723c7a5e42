// args: --property assertions --property races
// expect: SAFE
// Only who got the mutex touches the counter.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *run(void *arg) {
    int result = pthread_mutex_trylock(&m);
    assert(result == 0 || result == EBUSY);
    if (result == 0) {
        x++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 1 || x == 2);
    return 0;
}
