// Two threads with K critical sections each: few states, very many interleavings.
#include <assert.h>
#include <pthread.h>
#ifndef K
#define K 19
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total;

void *add(void *a) {
    for (int i = 0; i < K; i++) {
        pthread_mutex_lock(&m);
        total++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(total == 2 * K);
    return 0;
}
