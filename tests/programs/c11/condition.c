// args: --property assertions --property races --property deadlocks
// expect: SAFE
// cnd_t with a flag.
#include <assert.h>
#include <threads.h>

mtx_t m;
cnd_t c;
int ready, data;

int produce(void *arg) {
    (void)arg;
    mtx_lock(&m);
    data = 7;
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, produce, 0);
    mtx_lock(&m);
    while (!ready)
        cnd_wait(&c, &m);
    assert(data == 7);
    mtx_unlock(&m);
    thrd_join(t, 0);
    cnd_destroy(&c);
    mtx_destroy(&m);
    return 0;
}
