// The stream itself may be shared, the object for its position may not.
// args: --property races
// args explore: --inputs 0,1
// expect: UNSAFE races
#include <pthread.h>
#include <stdio.h>

static fpos_t position;

static void *run(void *argument) {
    fgetpos(stdin, &position); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    fsetpos(stdin, &position); //~ races
    return 0;
}
