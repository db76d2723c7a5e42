// dirname cuts off the end of the text that it is given: threads that share the text race.
// args: --property races
// expect: UNSAFE races
#include <libgen.h>
#include <pthread.h>
#include <stdlib.h>

static char path[] = "a/b";

static void *run(void *argument) {
    basename(path); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    dirname(path); //~ races
    pthread_join(thread, 0);
    return 0;
}
