// args: --property assertions
// expect: SAFE
// A reader keeps writers out, a writer keeps everybody out.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *run(void *arg) {
    int reads = pthread_rwlock_tryrdlock(&l), writes = pthread_rwlock_trywrlock(&l);
    assert(writes == EBUSY);
    assert(reads == (arg ? EBUSY : 0));
    if (reads == 0)
        pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&l);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_create(&t, 0, run, &l);
    pthread_join(t, 0);
    pthread_rwlock_unlock(&l);
    return 0;
}
