// args: --property assertions
// expect: UNSAFE assertions
// A wait that is followed by a look that is remembered is more than a wait: what was seen may be gone later.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int state;

void *other(void *arg) {
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&m);
        state = i;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t t;
    int seen = 0;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&m);
    while (state != 3) {
        pthread_cond_wait(&c, &m);
        if (state == 2)
            seen = 1;
    }
    pthread_mutex_unlock(&m);
    assert(!seen); //~ assertions
    pthread_join(t, 0);
    return 0;
}
