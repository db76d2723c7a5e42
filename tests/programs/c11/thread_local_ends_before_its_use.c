// args: --property memory
// expect: UNSAFE memory
// Between the look at the pointer and the access the thread may end, and with it its copy, although the pointer is null
// by then: the access is a step of its own.
#include <stdatomic.h>
#include <threads.h>

_Thread_local int x;
int *_Atomic p;

int run(void *arg) {
    (void)arg;
    p = &x;
    p = 0;
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, run, 0);
    int *q = p;
    if (q)
        *q = 1; //~ memory
    return 0;
}
