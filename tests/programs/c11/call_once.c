// args: --property assertions --property races
// expect: SAFE
// call_once runs the function once.
#include <assert.h>
#include <threads.h>

once_flag flag = ONCE_FLAG_INIT;
int x;

void initialise(void) {
    x += 5;
}

int run(void *arg) {
    (void)arg;
    call_once(&flag, initialise);
    return x;
}

int main(void) {
    thrd_t t;
    int theirs;
    thrd_create(&t, run, 0);
    int mine = run(0);
    thrd_join(t, &theirs);
    assert(mine == 5 && theirs == 5);
    return 0;
}
