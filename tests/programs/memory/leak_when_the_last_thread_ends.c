// args: --property leaks
// expect: UNSAFE leaks
// main ends by pthread_exit: the program ends with its last thread, and what is not freed by then is lost.
#include <pthread.h>
#include <stdlib.h>

static char *buffer;

static void *run(void *arg) {
    buffer[0] = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    buffer = malloc(4); //~ leaks
    pthread_create(&t, 0, run, 0);
    pthread_exit(0);
}
