// The worker may signal a condition variable that the main thread has destroyed already.
// args: --property locks
// expect: UNSAFE locks
#include <pthread.h>

pthread_cond_t ready;

void *work(void *arg) {
    pthread_cond_signal(&ready); //~ locks
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_cond_init(&ready, 0);
    pthread_create(&t, 0, work, 0);
    pthread_cond_destroy(&ready);
    pthread_join(t, 0);
    return 0;
}
