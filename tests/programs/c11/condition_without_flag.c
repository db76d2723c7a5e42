// args: --property deadlocks
// expect: UNSAFE deadlocks
// A broadcast without a flag is lost if it comes first.
#include <threads.h>

mtx_t m;
cnd_t c;

int produce(void *arg) {
    (void)arg;
    cnd_broadcast(&c);
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, produce, 0);
    mtx_lock(&m);
    cnd_wait(&c, &m); //~ deadlocks
    mtx_unlock(&m);
    thrd_join(t, 0);
    return 0;
}
