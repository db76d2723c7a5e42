// args: --property assertions
// expect: SAFE
// thrd_exit ends the thread with a value.
#include <assert.h>
#include <threads.h>

int run(void *arg) {
    (void)arg;
    thrd_exit(9);
}

int main(void) {
    thrd_t t;
    int result;
    thrd_create(&t, run, 0);
    thrd_join(t, &result);
    assert(result == 9);
    return 0;
}
