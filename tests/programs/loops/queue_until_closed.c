// args: --property assertions
// expect: SAFE
// A consumer polls with the mutex held only for a moment.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int items, closed, taken;

void *consume(void *arg) {
    pthread_mutex_lock(&m);
    for (;;) {
        while (items == 0 && !closed)
            pthread_cond_wait(&c, &m);
        if (items == 0)
            break;
        items--;
        taken++;
    }
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, consume, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        items++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    closed = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(taken == 2);
    return 0;
}
