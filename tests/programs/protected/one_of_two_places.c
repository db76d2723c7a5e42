// args: --property assertions --property races
// expect: UNSAFE assertions
// A write to one of two places: the thread that alone writes them does not know which one it was.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, sum;

void *writer(void *arg) {
    int *place = __VERIFIER_nondet_int() ? &x : &y;
    pthread_mutex_lock(&m);
    x = 1;
    y = 1;
    *place = 2;
    int seen = x;
    pthread_mutex_unlock(&m);
    assert(seen == 1); //~ assertions
    return arg;
}

void *reader(void *arg) {
    pthread_mutex_lock(&m);
    sum = x + y;
    assert(sum == 0 || sum == 3);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
