// expect: SAFE
// A buffer of one place, one producer, one consumer, two condition variables.
#include <assert.h>
#include <pthread.h>

#define ITEMS 2

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int place, count;

void put(int item) {
    pthread_mutex_lock(&m);
    while (count == 1)
        pthread_cond_wait(&not_full, &m);
    place = item;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
}

int get(void) {
    pthread_mutex_lock(&m);
    while (count == 0)
        pthread_cond_wait(&not_empty, &m);
    int item = place;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&m);
    return item;
}

void *produce(void *arg) {
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    for (int i = 1; i <= ITEMS; i++) {
        int item = get();
        assert(item == i);
    }
    pthread_join(t, 0);
    return 0;
}
