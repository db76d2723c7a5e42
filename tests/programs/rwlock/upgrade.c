// args: --property deadlocks
// expect: UNSAFE deadlocks
// A reader wants to become the writer and waits for itself.
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *run(void *arg) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l); //~ deadlocks
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0); //~ deadlocks
    return 0;
}
