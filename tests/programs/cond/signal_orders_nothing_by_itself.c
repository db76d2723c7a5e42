// A wait may end without a signal: what is written before the signal without the mutex races.
// args: --property races
// expect: UNSAFE races
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int data;

static void *produce(void *argument) {
    data = 1; //~ races
    pthread_cond_signal(&cond);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    int result = data; //~ races
    pthread_mutex_unlock(&mutex);
    return result;
}
