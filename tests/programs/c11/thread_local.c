// args: --property assertions --property races
// expect: SAFE
// Every thread has its own copy of a thread-local variable.
#include <assert.h>
#include <threads.h>

thread_local int x = 10;

int run(void *arg) {
    x += *(int *)arg;
    return x;
}

int main(void) {
    thrd_t t, u;
    int one = 1, two = 2, a, b;
    thrd_create(&t, run, &one);
    thrd_create(&u, run, &two);
    thrd_join(t, &a);
    thrd_join(u, &b);
    assert(a == 11 && b == 12 && x == 10);
    return 0;
}
