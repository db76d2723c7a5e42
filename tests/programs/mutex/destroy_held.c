// args: --property locks
// expect: UNSAFE locks
// Main destroys the mutex that it has just locked.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *run(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_destroy(&m); //~ locks
    return 0;
}
