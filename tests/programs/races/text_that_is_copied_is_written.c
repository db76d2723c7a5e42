// args: --property races
// expect: UNSAFE races
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char name[4] = "abc";

static void *run(void *argument) {
    free(strdup(name)); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    name[1] = 'B'; //~ races
    return 0;
}
