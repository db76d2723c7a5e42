// Writers and readers, any number of each, and one thread that is neither.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int begun;
int value;

void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    value = 1;
    value = 0;
    pthread_mutex_unlock(&mutex);
    return unused;
}

void *reader(void *unused) {
    pthread_mutex_lock(&mutex);
    assert(value == 0);
    pthread_mutex_unlock(&mutex);
    return unused;
}

void *beginner(void *unused) {
    begun = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, beginner, 0);
    for (;;) {
        pthread_create(&thread, 0, writer, 0);
        pthread_create(&thread, 0, reader, 0);
    }
}
