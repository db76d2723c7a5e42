// args: --property assertions
// expect: SAFE
// An invariant that is broken only inside the critical section.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a = 5, b = 5;

void *move(void *arg) {
    pthread_mutex_lock(&m);
    a -= 2;
    b += 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, move, 0);
    pthread_mutex_lock(&m);
    assert(a + b == 10);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
