// args auto: --unwind 2
// args staged: --unwind 2
// args context: --unwind 2 --contexts 4
// args unwinding: --unwind 2 --writes 4
// args: --property assertions
// expect: SAFE
// expect auto, staged: BOUNDED (loops without an end are not unrolled to one)
// Lamport's bakery: who draws the lower number goes first. Numbers end at 3; who would draw a higher one
// tries again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int choosing[2], number[2], inside;

void serve(int me) {
    int other = 1 - me;
    for (;;) {
        choosing[me] = 1;
        int mine = number[other] + 1;
        if (mine > 3) {
            choosing[me] = 0;
            continue;
        }
        number[me] = mine;
        choosing[me] = 0;
        while (choosing[other])
            ;
        for (;;) {
            int his = number[other];
            if (his == 0 || mine < his || (mine == his && me < other))
                break;
        }
        inside++;
        assert(inside == 1);
        inside--;
        number[me] = 0;
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
