// args: --property assertions
// expect: UNSAFE assertions
// mtx_timedlock may time out.
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t m;

int run(void *arg) {
    (void)arg;
    mtx_lock(&m);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t;
    struct timespec time = {0, 0};
    mtx_init(&m, mtx_timed);
    thrd_create(&t, run, 0);
    int result = mtx_timedlock(&m, &time);
    assert(result == thrd_success || result == thrd_timedout);
    assert(result == thrd_success); //~ assertions
    thrd_join(t, 0);
    return 0;
}
