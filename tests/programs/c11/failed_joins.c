// args: --property assertions
// expect: SAFE
// Where misuse is not looked for, thrd_join and thrd_detach give thrd_error and leave the result alone.
#include <assert.h>
#include <threads.h>

int run(void *arg) { return arg == 0; }

int main(void) {
    thrd_t t;
    int result = 7;
    thrd_create(&t, run, 0);
    assert(thrd_join(t, &result) == thrd_success && result == 1);
    result = 7;
    assert(thrd_join(t, &result) == thrd_error && result == 7);
    assert(thrd_detach(t) == thrd_error);
    assert(thrd_join(thrd_current(), 0) == thrd_error);
    return 0;
}
