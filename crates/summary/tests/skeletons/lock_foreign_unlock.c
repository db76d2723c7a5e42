// A thread releases a mutex that it does not hold: holding it excludes nobody.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *foreign(void *arg) {
    pthread_mutex_unlock(&m);
    x = 2;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, foreign, 0);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
