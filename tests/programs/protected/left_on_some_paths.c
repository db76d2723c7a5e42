// args: --property assertions --property races
// expect: UNSAFE assertions
// What is left depends on the path: both values can be found, and the one from the start.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int state;

void *writer(void *arg) {
    int which = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (which > 0) {
        state = 1;
        if (which > 10) {
            state = 2;
        }
    }
    pthread_mutex_unlock(&m);
    return arg;
}

void *reader(void *arg) {
    pthread_mutex_lock(&m);
    int seen = state;
    pthread_mutex_unlock(&m);
    assert(seen <= 2);
    assert(seen != 0); //~ assertions
    assert(seen != 1); //~ assertions
    assert(seen != 2); //~ assertions
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
