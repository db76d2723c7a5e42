// args: --property races
// expect: UNSAFE races
// The same without the mutex.
#include <threads.h>

int x;

int run(void *arg) {
    (void)arg;
    x++; //~ races
    return 0;
}

int main(void) {
    thrd_t t, u;
    thrd_create(&t, run, 0);
    thrd_create(&u, run, 0);
    thrd_join(t, 0);
    thrd_join(u, 0);
    return 0;
}
