// args: --property assertions
// expect: UNSAFE assertions
// Who does not look at the answer of a lock works on data that its holder left half changed.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;
int a, b;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    a++;
    if (arg)
        pthread_exit(0);
    b++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &robust);
    pthread_create(&t, 0, work, &m);
    pthread_mutex_lock(&m);
    assert(a == b); //~ assertions
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
