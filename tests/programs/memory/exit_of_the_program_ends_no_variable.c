// args: --property memory
// expect: SAFE
// exit ends the program, not the frames: a thread that takes its steps before it finds all variables.
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg) {
    *(int *)arg = 1;
    return 0;
}

static void leave(void) { exit(0); }

int main(void) {
    pthread_t t;
    int local = 0;
    pthread_create(&t, 0, run, &local);
    leave();
}
