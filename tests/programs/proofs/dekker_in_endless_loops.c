// args auto: --unwind 2
// args staged: --unwind 2
// args context: --unwind 2 --contexts 4
// args unwinding: --unwind 2 --writes 4
// args: --property assertions
// expect: SAFE
// expect auto, staged: BOUNDED (loops without an end are not unrolled to one)
// Dekker's algorithm: who finds that both want in, and that it is not his turn, stands back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn, inside;

void serve(int me) {
    for (;;) {
        wants[me] = 1;
        while (wants[1 - me]) {
            if (turn != me) {
                wants[me] = 0;
                while (turn != me)
                    ;
                wants[me] = 1;
            }
        }
        inside++;
        assert(inside == 1);
        inside--;
        turn = 1 - me;
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
