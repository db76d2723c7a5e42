// After a join of paths only what is held on both is certainly held.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, c;
void *work(void *arg) {
    int own = c;
    pthread_mutex_lock(&m);
    if (own)
        pthread_mutex_lock(&n);
    x = 1;
    if (own)
        pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    c = 1;
    pthread_mutex_lock(&n);
    x = 2;
    pthread_mutex_unlock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
