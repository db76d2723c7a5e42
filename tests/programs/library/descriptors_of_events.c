// What is read from timers, signals and the program's own pipes: whole numbers of expirations, signals of the set, what was written.
// args: --property assertions,deadlocks
// args explore: --inputs 1
// expect: SAFE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void timers(void) {
    uint64_t times = 0;
    struct itimerspec soon = {.it_value = {1, 0}};
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    if (fd < 0 || timerfd_settime(fd, 0, &soon, 0) != 0)
        return;
    assert(read(fd, &times, 4) == -1 && errno == EINVAL);
    assert(read(fd, &times, sizeof times) == sizeof times && times >= 1);
}

static void signals(void) {
    struct signalfd_siginfo info;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    int fd = signalfd(-1, &set, SFD_NONBLOCK);
    if (fd < 0)
        return;
    struct pollfd wait = {fd, POLLIN | POLLOUT, 0};
    assert(poll(&wait, 1, -1) < 0 || wait.revents == POLLIN);
    ssize_t size = read(fd, &info, sizeof info);
    assert(size == -1 || (size == sizeof info && (info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM)));
}

static void pipes(void) {
    int fds[2], count, on = 1;
    char byte;
    if (pipe(fds) != 0)
        return;
    assert(ioctl(fds[0], FIONREAD, &count) == 0 && count == 0);
    assert(ioctl(fds[0], FIONBIO, &on) == 0);
    assert(read(fds[0], &byte, 1) == -1 && errno == EAGAIN);
    assert(write(fds[1], "ab", 2) == 2);
    assert(ioctl(fds[0], FIONREAD, &count) == 0 && count == 2);
    assert(ioctl(-1, FIONREAD, &count) == -1 && errno == EBADF);
}

int main(void) {
    timers();
    signals();
    pipes();
    return 0;
}
