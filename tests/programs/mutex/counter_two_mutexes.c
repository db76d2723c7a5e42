// args: --property races --property assertions
// expect: UNSAFE races, assertions
// Each thread uses a mutex of its own.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *run(void *mutex) {
    pthread_mutex_lock(mutex);
    x++; //~ races
    pthread_mutex_unlock(mutex);
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, &m);
    pthread_create(&u, 0, run, &n);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2); //~ assertions
    return 0;
}
