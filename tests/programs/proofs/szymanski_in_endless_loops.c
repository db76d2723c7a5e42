// args auto: --unwind 2
// args staged: --unwind 2
// args context: --unwind 2 --contexts 4
// args unwinding: --unwind 2 --writes 4
// args: --property assertions
// expect: SAFE
// expect auto, staged: BOUNDED (loops without an end are not unrolled to one)
// Szymanski's algorithm for two: 1 wants in, 3 stands in the doorway, 2 waits there for the other, 4 has
// closed the door.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2], inside;

void serve(int me) {
    int other = 1 - me;
    for (;;) {
        flag[me] = 1;
        while (flag[other] >= 3)
            ;
        flag[me] = 3;
        if (flag[other] == 1) {
            flag[me] = 2;
            while (flag[other] != 4)
                ;
        }
        flag[me] = 4;
        if (me == 1)
            while (flag[other] >= 2)
                ;
        inside++;
        assert(inside == 1);
        inside--;
        if (me == 0)
            for (;;) {
                int his = flag[other];
                if (his != 2 && his != 3)
                    break;
            }
        flag[me] = 0;
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
