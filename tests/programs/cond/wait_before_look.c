// A loop that waits first and looks then: rounds that find nothing are alike, however many.
// args: --property assertions
// expect: SAFE
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int begun, ready;

void *waits(void *a) {
    pthread_mutex_lock(&m);
    begun = 1;
    do {
        pthread_cond_wait(&c, &m);
    } while (!ready);
    assert(ready == 2);
    pthread_mutex_unlock(&m);
    return a;
}

void *sets(void *a) {
    pthread_mutex_lock(&m);
    if (begun)
        ready = 2;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, waits, 0);
    pthread_create(&u, 0, sets, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
