/* signalfd: signals that are read from a descriptor.
 *
 * A read gives the description of a signal of its set, which comes from outside, as in sigwait (signals.c); one that never waits may find none.
 * left out: more than one signal in a read; reads that wait for ever; that the signals must be blocked; sets of more than 4 descriptors
 * (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

enum { MOST = 4, SIGNALS = 64, SIZE = 128, NONBLOCK = 04000, EBADF = 9 };

int fcntl(int fd, int command, ...);

static struct {
    int fd;
    unsigned long long set;
} signal_fds[MOST];
static int made;

static unsigned long long *set_of(int fd) {
    for (int i = 0; i < made; i++)
        if (signal_fds[i].fd == fd)
            return &signal_fds[i].set;
    return NULL;
}

int signalfd(int fd, const unsigned long long *signals, int flags) {
    enum { F_SETFL = 4 };
    unsigned long long set = *signals;
    if (fd != -1) {
        __raddle_atomic_begin();
        unsigned long long *old = set_of(fd);
        if (old)
            *old = set;
        __raddle_atomic_end();
        if (old)
            return fd;
        return fails_with(__raddle_fd_kind(fd) == FD_CLOSED ? EBADF : EINVAL);
    }
    if (may_fail())
        return fails();
    int new = __raddle_fd_new(FD_SIGNAL);
    __raddle_atomic_begin();
    int number = made;
    if (number == MOST)
        __raddle_unsupported("more than 4 descriptors of signals in a run");
    signal_fds[number].fd = new;
    signal_fds[number].set = set;
    made = number + 1;
    __raddle_atomic_end();
    if (flags & NONBLOCK)
        fcntl(new, F_SETFL, NONBLOCK);
    return new;
}

ssize_t __raddle_signal_read(int fd, unsigned *data, size_t size) {
    if (size < SIZE)
        return fails_with(EINVAL);
    if (!__raddle_fd_waits(fd) && __raddle_choice(2))
        return fails_with(EAGAIN);
    unsigned number = __raddle_input_u8() % SIGNALS + 1;
    __raddle_atomic_begin();
    unsigned long long *place = set_of(fd), set = place ? *place : 0;
    __raddle_assume(set >> (number - 1) & 1);
    __raddle_atomic_end();
    __raddle_fill(data, SIZE);
    data[0] = number;
    return SIZE;
}
