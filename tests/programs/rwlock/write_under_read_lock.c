// args: --property races
// expect: UNSAFE races
// A read lock does not protect a write.
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *run(void *arg) {
    pthread_rwlock_rdlock(&l);
    x++; //~ races
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
