// args: --property overflow
// expect: SAFE
// The test and the increment are under one mutex.
#include <limits.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x = INT_MAX - 1;

void *run(void *arg) {
    pthread_mutex_lock(&m);
    if (x < INT_MAX)
        x++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
