// args: --property assertions
// args explore: --steps 30
// expect: SAFE
// expect explore: BOUNDED (16! orders of the sections)
// Sixteen copies of one thread: the order in which they take the lock does not matter.
#include <assert.h>
#include <pthread.h>

#define N 16

int sum;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
    pthread_mutex_lock(&lock);
    sum = sum + 3;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, add, 0);
    pthread_mutex_lock(&lock);
    int seen = sum;
    pthread_mutex_unlock(&lock);
    assert(seen % 3 == 0 && seen <= 3 * N);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    assert(sum == 3 * N);
    return 0;
}
