// args: --property assertions,memory,deadlocks
// expect: SAFE
// A write into a pipe without a reader ends the program, so nothing comes after it.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *run(void *arg) {
    close(ends[0]);
    if (write(ends[1], "a", 1) == 1)
        assert(0);
    assert(0);
    return arg;
}

int main(void) {
    pthread_t t;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(0);
    return 0;
}
