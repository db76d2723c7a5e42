// expect: SAFE
// A cleanup handler gives the lock back.
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

void *work(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    sleep(1);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
