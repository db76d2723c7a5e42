// args staged: --unwind 2
// args context: --unwind 2 --contexts 4
// args unwinding: --unwind 2 --writes 4
// args: --property assertions
// expect: SAFE
// expect staged: BOUNDED (loops without an end are not unrolled to one)
// Two threads run for ever; Peterson's algorithm lets one of them in at a time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn, inside;

void serve(int me) {
    for (;;) {
        wants[me] = 1;
        turn = 1 - me;
        while (wants[1 - me] && turn == 1 - me)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        wants[me] = 0;
    }
}

void *other(void *unused) {
    serve(1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    serve(0);
}
