// args: --property memory
// expect: UNSAFE memory
// thrd_exit in a nested function: the variables of the start function are gone with the thread.
#include <threads.h>

int *p;

static void leave(void) { thrd_exit(3); }

int run(void *arg) {
    int local[2] = {1, 2};
    p = &local[1];
    if (arg == 0)
        leave();
    return 0;
}

int main(void) {
    thrd_t t;
    int result;
    thrd_create(&t, run, 0);
    thrd_join(t, &result);
    return *p; //~ memory
}
