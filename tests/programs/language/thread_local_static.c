// args: --property races --property assertions
// expect: SAFE
// A thread-local static is not.
#include <assert.h>
#include <pthread.h>

static int next(void) {
    static __thread int n = 1;
    return n++;
}

void *run(void *arg) {
    (void)arg;
    next();
    return (void *)(long)next();
}

int main(void) {
    pthread_t t, u;
    void *a, *b;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, &a);
    pthread_join(u, &b);
    assert((long)a == 2 && (long)b == 2);
    return 0;
}
