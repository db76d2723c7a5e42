// args: --property memory
// expect: UNSAFE memory
// A pointer to another thread's copy is invalid when that thread has ended.
#include <threads.h>

_Thread_local int x;
int *p;

int run(void *arg) {
    (void)arg;
    p = &x;
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, run, 0);
    thrd_join(t, 0);
    *p = 1; //~ memory
    return 0;
}
