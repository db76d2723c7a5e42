// args: --property locks
// expect: UNSAFE locks
// Main locks, another thread unlocks.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *run(void *arg) {
    pthread_mutex_unlock(&m); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
