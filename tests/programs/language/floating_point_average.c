// args: --property assertions
// expect: SAFE
// Threads add to a shared sum under a lock; the order does not matter, because every sum is exact.
#include <assert.h>
#include <pthread.h>

double sum, weights[2] = {0.75, 2.5};
float largest;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *run(void *arg) {
    double mine = *(double *)arg * 2;
    pthread_mutex_lock(&m);
    sum += mine;
    if ((float)mine > largest)
        largest = (float)mine;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, run, &weights[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(sum / 2 == 3.25 && (int)sum == 6);
    assert(largest == 5.0f);
    return 0;
}
