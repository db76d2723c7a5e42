// args: --property assertions
// expect: UNSAFE assertions
// However long main sleeps, the thread may be slower.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int x;

void *run(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    sleep(10);
    assert(x == 1); //~ assertions
    pthread_join(t, 0);
    return 0;
}
