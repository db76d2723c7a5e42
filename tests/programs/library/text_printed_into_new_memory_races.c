// asprintf reads a name while another thread changes it.
// args: --property races
// expect: UNSAFE races
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char name[] = "ab";

static void *changer(void *arg) {
    name[0] = 'c'; //~ races
    return arg;
}

int main(void) {
    pthread_t thread;
    char *text;
    pthread_create(&thread, NULL, changer, NULL);
    if (asprintf(&text, "%s", name) < 0) //~ races
        return 1;
    pthread_join(thread, NULL);
    free(text);
    return 0;
}
