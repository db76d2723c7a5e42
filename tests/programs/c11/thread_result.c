// args: --property assertions
// expect: SAFE
// thrd_join gives the int that the thread returned, also a negative one.
#include <assert.h>
#include <threads.h>

int run(void *arg) {
    return *(int *)arg - 5;
}

int main(void) {
    thrd_t t;
    int three = 3, result;
    thrd_create(&t, run, &three);
    thrd_join(t, &result);
    assert(result == -2);
    return 0;
}
