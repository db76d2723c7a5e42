// expect: SAFE
// Main creates two threads in a loop that counts to a constant; a third one would break the assertion.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *worker(void *argument) {
    pthread_mutex_lock(&lock);
    count++;
    assert(count < 3);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++)
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
