// What is found in a mutex says who has it: the fourth thread that is created, some time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *visitor(void *unused) {
    pthread_mutex_lock(&mutex);
    int holder = *(_Atomic int *)&mutex;
    assert(holder != 5);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
