// args: --property deadlocks
// expect: UNSAFE deadlocks
// The writer waits for a reader that has ended.
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *run(void *arg) {
    pthread_rwlock_rdlock(&l);
    return x ? arg : 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    pthread_rwlock_wrlock(&l); //~ deadlocks
    x = 1;
    pthread_rwlock_unlock(&l);
    return 0;
}
