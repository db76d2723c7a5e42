// args: --property locks
// expect: UNSAFE locks
// The holder itself initialises the mutex again: it does not hold it any more.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_init(&m, 0);
    pthread_mutex_unlock(&m); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
