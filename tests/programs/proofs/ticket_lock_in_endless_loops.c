// args auto: --unwind 2
// args staged: --unwind 2
// args context: --unwind 2 --contexts 4
// args unwinding: --unwind 2 --writes 4
// args: --property assertions
// expect: SAFE
// expect auto, staged: BOUNDED (loops without an end are not unrolled to one)
// A ticket lock: tickets are given out in order, and begin again after the fourth.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uchar next, serving;
atomic_int inside;

void serve(void) {
    for (;;) {
        unsigned char mine = next++ % 4;
        while (serving % 4 != mine)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        serving++;
    }
}

void *other(void *unused) {
    serve();
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    serve();
}
