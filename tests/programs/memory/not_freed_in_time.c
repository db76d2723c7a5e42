// args: --property leaks
// expect: UNSAFE leaks
// Main does not wait for the thread, which may have allocated its buffer and not freed it yet.
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg) {
    char *buffer = malloc(8); //~ leaks
    buffer[0] = 1;
    free(buffer);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    return 0;
}
