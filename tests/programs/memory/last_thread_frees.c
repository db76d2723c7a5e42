// args: --property leaks
// expect: SAFE
// main ends by thrd_exit while the other thread still has the memory, and frees it.
#include <stdlib.h>
#include <threads.h>

static int run(void *arg) {
    free(arg);
    return 0;
}

int main(void) {
    thrd_t t;
    char *buffer = malloc(4);
    thrd_create(&t, run, buffer);
    thrd_detach(t);
    thrd_exit(0);
}
