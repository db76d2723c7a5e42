// args: --property assertions
// expect: UNSAFE assertions
// Reading and writing in two critical sections loses updates, without a race.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *run(void *arg) {
    pthread_mutex_lock(&m);
    int old = x;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    x = old + 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2); //~ assertions
    return 0;
}
