// args: --property assertions
// expect: UNSAFE assertions
// Two threads recurse over one counter.
#include <assert.h>
#include <pthread.h>

int x;

static void add(int n) {
    if (n == 0)
        return;
    x += n;
    add(n - 1);
}

void *run(void *arg) {
    add(2);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    add(2);
    pthread_join(t, 0);
    assert(x == 6); //~ assertions
    return 0;
}
