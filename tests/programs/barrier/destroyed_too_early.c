// The main thread does not wait for those who are still to come, or who wait already.
// args: --property locks
// expect: UNSAFE locks
#include <pthread.h>

pthread_barrier_t barrier;

void *meet(void *arg) {
    pthread_barrier_wait(&barrier); //~ locks
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&t, 0, meet, 0);
    pthread_create(&u, 0, meet, 0);
    pthread_barrier_destroy(&barrier); //~ locks
    return 0;
}
