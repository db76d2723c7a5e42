// The second write of a section occurs on one path only: the first one may be seen by others.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, c;
void *work(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    if (c)
        x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    c = 1;
    pthread_mutex_lock(&m);
    int seen = x;
    pthread_mutex_unlock(&m);
    return seen;
}
