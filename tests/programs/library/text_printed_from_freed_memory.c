// asprintf of a name that another thread has freed.
// args: --property memory
// expect: UNSAFE memory
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *name;

static void *owner(void *arg) {
    free(name);
    return arg;
}

int main(void) {
    pthread_t thread;
    char *text;
    name = strdup("a");
    pthread_create(&thread, NULL, owner, NULL);
    if (asprintf(&text, "%s!", name) >= 0) //~ memory
        free(text);
    pthread_join(thread, NULL);
    return 0;
}
