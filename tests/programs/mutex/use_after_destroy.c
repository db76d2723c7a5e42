// args: --property locks
// expect: UNSAFE locks
// The mutex is locked after its destruction.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_destroy(&m);
    pthread_mutex_lock(&m); //~ locks
    return 0;
}
