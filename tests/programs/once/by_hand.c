// args: --property assertions
// expect: UNSAFE assertions
// A flag of one's own does not replace pthread_once.
#include <assert.h>
#include <pthread.h>

int begun, x;

void once(void) {
    if (!begun) {
        begun = 1;
        x++;
    }
}

void *run(void *arg) {
    once();
    assert(x == 1); //~ assertions
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
