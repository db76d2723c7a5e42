// A lock that may fail: both paths go on, none certainly holds it after they join.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *work(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        x = 1;
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    return 0;
}
