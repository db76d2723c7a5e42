// args: --property deadlocks
// expect: UNSAFE deadlocks
// A normal mutex locked twice by one thread.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); //~ deadlocks
    pthread_mutex_unlock(&m);
    return 0;
}
