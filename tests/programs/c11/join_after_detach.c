// args: --property locks
// expect: UNSAFE locks
// thrd_join of a thread that was detached.
#include <threads.h>

int run(void *arg) { return arg != 0; }

int main(void) {
    thrd_t t;
    thrd_create(&t, run, 0);
    thrd_detach(t);
    thrd_join(t, 0); //~ locks
    return 0;
}
