// args: --property assertions
// expect: SAFE
// __sync_synchronize between two accesses.
#include <assert.h>
#include <pthread.h>

int x, y, seen_x, seen_y;

void *run(void *arg) {
    x = 1;
    __sync_synchronize();
    seen_y = y;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    y = 1;
    __sync_synchronize();
    seen_x = x;
    pthread_join(t, 0);
    assert(seen_x || seen_y);
    return 0;
}
