// strtol reads a text that another thread has freed.
// args: --property memory
// expect: UNSAFE memory
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *text;

static void *owner(void *arg) {
    free(text);
    return arg;
}

int main(void) {
    pthread_t thread;
    text = strdup("7");
    pthread_create(&thread, NULL, owner, NULL);
    long number = strtol(text, NULL, 10); //~ memory
    pthread_join(thread, NULL);
    return number != 7;
}
