// args: --property races
// args explore: --inputs 1
// expect: UNSAFE races
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/stat.h>

static struct stat64 status;

static void *run(void *argument) {
    stat64("/", &status); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    return status.st_size != 0; //~ races
}
