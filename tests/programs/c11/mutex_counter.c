// args: --property assertions --property races --property locks
// expect: SAFE
// mtx_t protects a counter.
#include <assert.h>
#include <threads.h>

mtx_t m;
int x;

int run(void *arg) {
    (void)arg;
    mtx_lock(&m);
    x++;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t, u;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, run, 0);
    thrd_create(&u, run, 0);
    thrd_join(t, 0);
    thrd_join(u, 0);
    mtx_destroy(&m);
    assert(x == 2);
    return 0;
}
