// args: --property assertions --property races --property deadlocks
// expect: UNSAFE deadlocks
// A thread that waits inside its section for what only another section can change waits for ever.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int flag;

void *spinner(void *arg) {
    pthread_mutex_lock(&m);
    while (!flag) { //~ deadlocks
    }
    pthread_mutex_unlock(&m);
    return arg;
}

void *setter(void *arg) {
    pthread_mutex_lock(&m); //~ deadlocks
    flag = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, spinner, 0);
    pthread_create(&u, 0, setter, 0);
    pthread_join(t, 0); //~ deadlocks
    pthread_join(u, 0);
    return 0;
}
