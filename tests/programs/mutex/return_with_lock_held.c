// args: --property deadlocks
// expect: UNSAFE deadlocks
// The error path returns without unlocking.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stock = 1;

int take(void) {
    pthread_mutex_lock(&m); //~ deadlocks
    if (stock == 0)
        return -1;
    stock--;
    pthread_mutex_unlock(&m);
    return 0;
}

void *run(void *arg) {
    take();
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    take();
    pthread_join(t, 0);
    take();
    return 0;
}
