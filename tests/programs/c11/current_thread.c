// args: --property assertions
// expect: SAFE
// thrd_current and thrd_equal.
#include <assert.h>
#include <threads.h>

thrd_t seen;

int run(void *arg) {
    (void)arg;
    seen = thrd_current();
    thrd_yield();
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, run, 0);
    thrd_join(t, 0);
    assert(thrd_equal(seen, t) && !thrd_equal(seen, thrd_current()));
    return 0;
}
