// args: --property assertions
// expect: SAFE
// A 64-bit variable is written in one step of the model.
#include <assert.h>
#include <pthread.h>

long long x;

void *run(void *arg) {
    x = -1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    long long seen = x;
    assert(seen == 0 || seen == -1);
    pthread_join(t, 0);
    return 0;
}
