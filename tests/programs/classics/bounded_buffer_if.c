// expect: UNSAFE assertions
// The buffer with if instead of while: a spurious wakeup reads an empty place.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int place, count;

void put(int item) {
    pthread_mutex_lock(&m);
    if (count == 1)
        pthread_cond_wait(&not_full, &m);
    place = item;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
}

int get(void) {
    pthread_mutex_lock(&m);
    if (count == 0)
        pthread_cond_wait(&not_empty, &m);
    assert(count > 0); //~ assertions
    int item = place;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&m);
    return item;
}

void *produce(void *arg) {
    put(1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    get();
    pthread_join(t, 0);
    return 0;
}
