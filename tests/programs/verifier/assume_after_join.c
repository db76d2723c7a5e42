// args: --property assertions
// expect: SAFE
// Only executions in which the second thread came last.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int last, x;

void *run(void *arg) {
    __sync_fetch_and_add(&x, 1);
    last = (int)(long)arg;
    return 0;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, (void *)1);
    pthread_create(&u, 0, run, (void *)2);
    pthread_join(t, 0);
    pthread_join(u, 0);
    __VERIFIER_assume(last == 2);
    assert(x == 2 && last != 1);
    return 0;
}
