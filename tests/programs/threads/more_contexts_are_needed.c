// args: --property assertions
// args auto: --contexts 1
// args staged: --contexts 1
// args explore: --contexts 1
// args context: --contexts 1
// expect: BOUNDED
// expect unwinding, lazy, circuit: UNSAFE assertions (they have no such bound)
// The threads must take turns three times; with one change of the running thread nothing is proved.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int asked, answered;

void *work(void *arg) {
    asked = 1;
    assert(!answered); //~ assertions
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (asked)
        answered = 1;
    return 0;
}
