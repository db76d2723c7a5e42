// args: --property races
// expect: UNSAFE races
// A thread gives another one a pointer to its own copy.
#include <threads.h>

_Thread_local int x;

int run(void *arg) {
    *(int *)arg = 1; //~ races
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, run, &x);
    x = 2; //~ races
    thrd_join(t, 0);
    return 0;
}
