// args: --property assertions
// expect: UNSAFE assertions
// Without a join the thread may not have run yet.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    assert(x == 1); //~ assertions
    pthread_join(t, 0);
    return 0;
}
