// scandir writes the list to where the caller wants it, while another thread looks.
// args: --property races --first
// args explore: --inputs 0
// expect: UNSAFE races
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>

static struct dirent **list;

static void *run(void *argument) {
    scandir("/", &list, 0, 0); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    return list != 0; //~ races
}
