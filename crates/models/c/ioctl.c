/* ioctl: requests that mean the same for all descriptors, and the size of a terminal.
 *
 * FIONREAD gives the number of bytes that can be read: of pipes and pairs of sockets of this program what is there, of others
 * any number. FIONBIO sets whether calls wait. TIOCGWINSZ gives any size, and TIOCSWINSZ takes one. Calls on what is outside may fail.
 * left out: all other requests (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

int fcntl(int fd, int command, ...);

int ioctl(int fd, unsigned long request, ...) {
    enum { EBADF = 9, F_SETFL = 4, NONBLOCK = 04000, SIZE_OF_WINDOW = 8 };
    enum { TIOCGWINSZ = 0x5413, TIOCSWINSZ, TIOCOUTQ = 0x5411, FIONREAD = 0x541b, FIONBIO = 0x5421 };
    enum { FIONCLEX = 0x5450, FIOCLEX };
    int kind = __raddle_fd_kind(fd);
    if (kind == FD_CLOSED)
        return fails_with(EBADF);
    if (request == FIONCLEX || request == FIOCLEX)
        return 0;
    __builtin_va_list list;
    __builtin_va_start(list, request);
    void *argument = __builtin_va_arg(list, void *);
    __builtin_va_end(list);
    if (request == FIONBIO)
        return fcntl(fd, F_SETFL, *(int *)argument ? NONBLOCK : 0);
    if (request == FIONREAD && (kind == FD_PIPE_IN || kind == FD_PAIR)) {
        *(int *)argument = __raddle_fd_count(fd);
        return 0;
    }
    if (request != FIONREAD && request != TIOCOUTQ && request != TIOCGWINSZ && request != TIOCSWINSZ)
        __raddle_unsupported("this request of ioctl");
    if (request == TIOCSWINSZ)
        __raddle_read_bytes(argument, SIZE_OF_WINDOW);
    if (may_fail())
        return fails();
    if (request == TIOCGWINSZ)
        __raddle_fill(argument, SIZE_OF_WINDOW);
    else if (request != TIOCSWINSZ)
        *(int *)argument = any_int() & 0x7fffffff;
    return 0;
}
