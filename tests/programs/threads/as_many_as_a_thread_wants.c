// expect: UNSAFE assertions
// How many threads main creates is decided by the first of them: with a third one the assertion fails.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count, wanted = 2;

void *worker(void *argument) {
    pthread_mutex_lock(&lock);
    count++;
    wanted = 3;
    assert(count < 3); //~ assertions
    pthread_mutex_unlock(&lock);
    return argument;
}

int wants_more(int so_far) {
    pthread_mutex_lock(&lock);
    int more = so_far < wanted;
    pthread_mutex_unlock(&lock);
    return more;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; wants_more(i); i++)
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
