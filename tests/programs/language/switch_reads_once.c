// args: --property assertions
// expect: SAFE
// The value of a switch is read once, whatever other threads do.
#include <assert.h>
#include <pthread.h>

int x;

void *run(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    int branch = 0;
    pthread_create(&t, 0, run, 0);
    switch (x) {
    case 0:
        branch = 1;
        break;
    case 1:
        branch = 2;
        break;
    }
    assert(branch != 0);
    pthread_join(t, 0);
    return 0;
}
