// args: --property races
// expect: UNSAFE races
// Only one of the two threads uses the mutex.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *careful(void *arg) {
    pthread_mutex_lock(&m);
    x++; //~ races
    pthread_mutex_unlock(&m);
    return arg;
}

void *careless(void *arg) {
    x++; //~ races
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, careful, 0);
    pthread_create(&u, 0, careless, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
