// args: --property locks
// expect: UNSAFE locks
// Created in detached state, then joined.
#include <pthread.h>

void *run(void *arg) { return arg; }

int main(void) {
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, run, 0);
    pthread_join(t, 0); //~ locks
    return 0;
}
