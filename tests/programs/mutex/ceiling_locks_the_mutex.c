// pthread_mutex_setprioceiling locks the mutex, so it waits for ever if its own thread holds it.
// args: --property deadlocks
// expect: UNSAFE deadlocks
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int old;
    pthread_mutex_lock(&mutex);
    pthread_mutex_setprioceiling(&mutex, 5, &old); //~ deadlocks
    pthread_mutex_unlock(&mutex);
    return 0;
}
