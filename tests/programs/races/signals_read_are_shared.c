// args: --property races
// args explore: --inputs 0,1
// expect: UNSAFE races
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static struct signalfd_siginfo info;
static int fd;

static void *run(void *argument) {
    read(fd, &info, sizeof info); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGINT);
    fd = signalfd(-1, &set, 0);
    if (fd < 0)
        return 1;
    pthread_create(&thread, 0, run, 0);
    return info.ssi_signo != 0; //~ races
}
