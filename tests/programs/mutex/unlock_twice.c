// args: --property locks
// expect: UNSAFE locks
// The second unlock finds the mutex free.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m); //~ locks
    return 0;
}
