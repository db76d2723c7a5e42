// args: --property assertions
// expect: UNSAFE assertions
// An if chain reads the variable twice.
#include <assert.h>
#include <pthread.h>

int x = 1;

void *run(void *arg) {
    x = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    int branch = 0;
    pthread_create(&t, 0, run, 0);
    if (x == 0)
        branch = 1;
    else if (x == 1)
        branch = 2;
    assert(branch != 0); //~ assertions
    pthread_join(t, 0);
    return 0;
}
