// Which mutex is released is not known: nothing is certainly held after it, and no mutex can be relied on.
#include <pthread.h>
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x, which;
void *work(void *arg) {
    pthread_mutex_lock(&m[0]);
    pthread_mutex_lock(&m[1]);
    pthread_mutex_unlock(&m[which & 1]);
    x = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    which = 1;
    x = 2;
    return 0;
}
