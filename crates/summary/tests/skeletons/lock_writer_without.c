// One writer takes no lock: its event holds nothing.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *careful(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    int seen = x;
    pthread_mutex_unlock(&m);
    return (void *)(long)seen;
}
void *careless(void *arg) {
    x = 2;
    return arg;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, careful, 0);
    pthread_create(&t, 0, careless, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
