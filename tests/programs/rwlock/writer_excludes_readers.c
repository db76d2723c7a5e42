// args: --property assertions --property races
// expect: SAFE
// Readers see both halves or none.
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int a, b;

void *read_both(void *arg) {
    pthread_rwlock_rdlock(&l);
    assert(a == b);
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, read_both, 0);
    pthread_create(&u, 0, read_both, 0);
    pthread_rwlock_wrlock(&l);
    a = 1;
    b = 1;
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
