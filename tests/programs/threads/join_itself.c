// args: --property locks
// expect: UNSAFE locks
// A thread joins itself.
#include <pthread.h>

void *run(void *arg) {
    pthread_join(pthread_self(), 0); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
