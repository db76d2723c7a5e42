// args: --property assertions
// expect: UNSAFE assertions
// Return from main ends the program, but the thread may run before it.
#include <assert.h>
#include <pthread.h>

void *run(void *arg) {
    assert(0); //~ assertions
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    return 0;
}
