// args: --property races
// args explore: --inputs 0,1
// expect: UNSAFE races
#include <pthread.h>
#include <sys/inotify.h>
#include <unistd.h>

static char buffer[64];
static int fd;

static void *run(void *argument) {
    read(fd, buffer, sizeof buffer); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    fd = inotify_init1(0);
    if (fd < 0 || inotify_add_watch(fd, ".", IN_CREATE) < 0)
        return 1;
    pthread_create(&thread, 0, run, 0);
    return buffer[0]; //~ races
}
