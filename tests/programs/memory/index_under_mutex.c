// args: --property memory --property races
// expect: SAFE
// The mutex covers test and use.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a[2], i;

void *run(void *arg) {
    pthread_mutex_lock(&m);
    i = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_mutex_lock(&m);
    if (i < 2)
        a[i] = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
