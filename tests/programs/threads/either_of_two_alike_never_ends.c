// args: --property deadlocks
// expect: UNSAFE deadlocks
// One of two threads that are alike never ends: main can wait for it at either join.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t closed = PTHREAD_MUTEX_INITIALIZER;
int here;

void *come(void *arg) {
    pthread_mutex_lock(&m);
    int late = here++;
    pthread_mutex_unlock(&m);
    if (late)
        pthread_mutex_lock(&closed); //~ deadlocks
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_mutex_lock(&closed);
    pthread_create(&t, 0, come, 0);
    pthread_create(&u, 0, come, 0);
    pthread_join(t, 0); //~ deadlocks
    pthread_join(u, 0); //~ deadlocks
    return 0;
}
