// args: --property assertions --property deadlocks --property locks
// expect: SAFE
// A recursive mutex can be locked again by its holder.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;
int x;

void add(int n) {
    pthread_mutex_lock(&m);
    x++;
    if (n > 1)
        add(n - 1);
    pthread_mutex_unlock(&m);
}

void *run(void *arg) {
    add(2);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_create(&t, 0, run, 0);
    add(2);
    pthread_join(t, 0);
    pthread_mutex_destroy(&m);
    assert(x == 4);
    return 0;
}
