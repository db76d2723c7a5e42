// args: --property deadlocks
// expect: UNSAFE deadlocks
// A thread that is cancelled while it sleeps keeps the lock that it holds.
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    sleep(1);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    pthread_mutex_lock(&m); //~ deadlocks
    pthread_mutex_unlock(&m);
    return 0;
}
