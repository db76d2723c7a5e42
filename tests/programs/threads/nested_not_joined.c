// args: --property races
// expect: UNSAFE races
// Joining a thread does not join the threads it started.
#include <pthread.h>

int x;

void *inner(void *arg) {
    x = 2; //~ races
    return arg;
}

void *outer(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, inner, 0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, outer, 0);
    pthread_join(t, 0);
    return x; //~ races
}
