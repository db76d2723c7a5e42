// args: --property assertions
// expect: SAFE
// mtx_trylock of a mutex that another thread holds answers thrd_busy.
#include <assert.h>
#include <threads.h>

mtx_t m;

int run(void *arg) {
    (void)arg;
    return mtx_trylock(&m);
}

int main(void) {
    thrd_t t;
    int result;
    mtx_init(&m, mtx_plain);
    mtx_lock(&m);
    thrd_create(&t, run, 0);
    thrd_join(t, &result);
    assert(result == thrd_busy);
    mtx_unlock(&m);
    thrd_create(&t, run, 0);
    thrd_join(t, &result);
    assert(result == thrd_success);
    return 0;
}
