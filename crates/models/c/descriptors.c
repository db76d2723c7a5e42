/* File descriptors: which are open, and those whose data never leaves the process.
 *
 * Data that comes from a file, a terminal or a peer is arbitrary (file_io.c, sockets.c). What one
 * thread writes into a pipe, a pair of sockets or an event counter another one of the same program
 * reads, and waits for: it orders the threads, so it is kept here, byte by byte. Without fork nobody
 * else has the other end. A pair of sockets is two pipes, one for each direction.
 * The numbers of descriptors begin with 3 and are never used again.
 * left out: POSIX gives out the lowest number that is free, so that a descriptor used after its
 * close may be another file; dup of a pipe or event counter, more than 61 descriptors, 4 pipes, 4
 * event counters, or 64 bytes through one pipe are not modelled (UNKNOWN). A full pipe never waits. Pairs
 * of sockets that keep messages apart (UNKNOWN).
 *
 * accesses: hidden
 */
#include "any.h"
#include "caller.h"

enum { FDS = 64, PIPES = 4, BYTES = 64, EBADF = 9, EPIPE = 32, NONBLOCK = 04000, SEMAPHORE = 1 };

static unsigned char kinds[FDS] = {FD_OTHER, FD_OTHER, FD_OTHER};
static unsigned char which[FDS];
static unsigned char other_way[FDS]; /* of a pair of sockets: the pipe that is written */
static unsigned char never_waits[FDS];
static int last_number = 2;

static struct {
    unsigned char data[BYTES];
    unsigned taken, put;
    _Bool no_reader, no_writer;
} pipes[PIPES];
static unsigned char pipe_count;

static struct {
    unsigned long long count;
    _Bool semaphore;
    unsigned writes; /* how many there were */
} events[PIPES];
static unsigned char event_count;

typedef uintptr_t __attribute__((may_alias, aligned(1))) word;

static void copy(unsigned char *to, const unsigned char *from, size_t size) {
    for (; size >= sizeof(word); size -= sizeof(word), to += sizeof(word), from += sizeof(word))
        *(word *)to = *(const word *)from;
    for (; size != 0; size--)
        *to++ = *from++;
}

static int new_fd(int kind) {
    int fd = last_number + 1;
    if (fd >= FDS)
        __raddle_unsupported("more than 61 file descriptors in a run");
    kinds[fd] = (unsigned char)kind;
    last_number = fd;
    return fd;
}

int __raddle_fd_new(int kind) {
    __raddle_atomic_begin();
    int fd = new_fd(kind);
    __raddle_atomic_end();
    return fd;
}

int __raddle_fd_kind(int fd) { return fd >= 0 && fd < FDS ? kinds[fd] : FD_CLOSED; }
int __raddle_fd_waits(int fd) { return !never_waits[fd]; }

int __raddle_fd_ready(int fd, int writing) {
    int kind = kinds[fd], number = which[fd];
    if (kind == FD_PIPE_IN || (kind == FD_PAIR && !writing))
        return !writing && (pipes[number].put != pipes[number].taken || pipes[number].no_writer);
    if (kind == FD_EVENT)
        return writing || events[number].count != 0;
    return writing && (kind == FD_PIPE_OUT || kind == FD_PAIR);
}

int __raddle_fd_has_data(int fd) {
    int kind = kinds[fd], number = which[fd];
    if (kind == FD_EVENT)
        return events[number].count != 0;
    return (kind == FD_PIPE_IN || kind == FD_PAIR) && pipes[number].put != pipes[number].taken;
}

unsigned __raddle_fd_changes(int fd) {
    int kind = kinds[fd], number = which[fd];
    if (kind == FD_EVENT)
        return 1 + events[number].writes;
    if (kind == FD_PIPE_IN || kind == FD_PAIR)
        return 1 + 2 * pipes[number].put + pipes[number].no_writer;
    /* There is always room: only that nobody reads is news. */
    return kind == FD_PIPE_OUT ? 1 + pipes[number].no_reader : 0;
}

int __raddle_fd_count(int fd) {
    __raddle_atomic_begin();
    int count = (int)(pipes[which[fd]].put - pipes[which[fd]].taken);
    __raddle_atomic_end();
    return count;
}

int __raddle_fd_is_left(int fd) {
    int kind = kinds[fd], number = which[fd];
    if (kind == FD_PIPE_OUT)
        return pipes[number].no_reader;
    if (kind == FD_PAIR && pipes[number].no_writer)
        return 1 + pipes[other_way[fd]].no_reader;
    return kind == FD_PIPE_IN && pipes[number].no_writer;
}

ssize_t __raddle_fd_take(int fd, void *to, size_t size) {
    int number = which[fd];
    if (kinds[fd] == FD_EVENT) {
        unsigned long long count = events[number].semaphore ? 1 : events[number].count;
        copy(to, (unsigned char *)&count, 8);
        events[number].count -= count;
        return 8;
    }
    size_t left = pipes[number].put - pipes[number].taken;
    if (size > left)
        size = left;
    copy(to, pipes[number].data + pipes[number].taken, size);
    pipes[number].taken += size;
    return (ssize_t)size;
}

ssize_t __raddle_fd_put(int fd, const void *from, size_t size) {
    int number = kinds[fd] == FD_PAIR ? other_way[fd] : which[fd];
    if (kinds[fd] == FD_EVENT) {
        unsigned long long more;
        copy((unsigned char *)&more, from, 8);
        if (more >= ~0ull - events[number].count)
            __raddle_unsupported("an event counter that overflows");
        events[number].count += more;
        events[number].writes++;
        return 8;
    }
    if (pipes[number].no_reader || pipes[number].no_writer)
        return -1;
    if (size > BYTES - pipes[number].put)
        __raddle_unsupported("more than 64 bytes through one pipe");
    copy(pipes[number].data + pipes[number].put, from, size);
    pipes[number].put += size;
    return (ssize_t)size;
}

int close(int fd) {
    __raddle_cancel_point();
    __raddle_atomic_begin();
    int kind = __raddle_fd_kind(fd);
    if (kind != FD_CLOSED)
        kinds[fd] = FD_CLOSED;
    if (kind == FD_PIPE_IN || kind == FD_PAIR)
        pipes[which[fd]].no_reader = 1;
    if (kind == FD_PIPE_OUT || kind == FD_PAIR)
        pipes[kind == FD_PAIR ? other_way[fd] : which[fd]].no_writer = 1;
    __raddle_atomic_end();
    if (kind == FD_CLOSED)
        return fails_with(EBADF);
    return kind == FD_OTHER ? zero_or_fails() : 0;
}

static unsigned char new_pipe(void) {
    unsigned char number = pipe_count;
    if (number == PIPES)
        __raddle_unsupported("more than 4 pipes in a run");
    pipe_count = number + 1;
    return number;
}

int pipe2(int fds[2], int flags) {
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    unsigned char number = new_pipe();
    int in = new_fd(FD_PIPE_IN), out = new_fd(FD_PIPE_OUT);
    which[in] = which[out] = number;
    never_waits[in] = never_waits[out] = (flags & NONBLOCK) != 0;
    __raddle_atomic_end();
    __raddle_give(&fds[0], in);
    __raddle_give(&fds[1], out);
    return 0;
}

int pipe(int fds[2]) { return pipe2(fds, 0); }

int socketpair(int family, int type, int protocol, int fds[2]) {
    enum { STREAM = 1, KINDS = 15 };
    if ((type & KINDS) != STREAM)
        __raddle_unsupported("a pair of sockets that keeps messages apart");
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    unsigned char there = new_pipe(), back = new_pipe();
    int one = new_fd(FD_PAIR), other = new_fd(FD_PAIR);
    which[one] = other_way[other] = back;
    which[other] = other_way[one] = there;
    never_waits[one] = never_waits[other] = (type & NONBLOCK) != 0;
    __raddle_atomic_end();
    __raddle_give(&fds[0], one);
    __raddle_give(&fds[1], other);
    return 0;
}

/* Nothing more is written: the other end finds the end of the data. */
int __raddle_pair_shutdown(int fd, int how) {
    enum { WRITING = 1 };
    if (how != WRITING)
        __raddle_unsupported("shutdown of the reading side of a pair of sockets");
    __raddle_atomic_begin();
    pipes[other_way[fd]].no_writer = 1;
    __raddle_atomic_end();
    return 0;
}

int eventfd(unsigned start, int flags) {
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    unsigned char number = event_count;
    if (number == PIPES)
        __raddle_unsupported("more than 4 event counters in a run");
    event_count = number + 1;
    int fd = new_fd(FD_EVENT);
    which[fd] = number;
    events[number].count = start;
    events[number].semaphore = (flags & SEMAPHORE) != 0;
    never_waits[fd] = (flags & NONBLOCK) != 0;
    __raddle_atomic_end();
    return fd;
}

static int duplicate(int fd, int kind) {
    if (kind == FD_CLOSED)
        return fails_with(EBADF);
    if (kind != FD_OTHER)
        __raddle_unsupported("duplicates of pipes and event counters");
    return 0;
}

int dup(int fd) {
    if (duplicate(fd, __raddle_fd_kind(fd)) < 0)
        return -1;
    return may_fail() ? fails() : __raddle_fd_new(FD_OTHER);
}

int dup2(int fd, int copy) {
    if (duplicate(fd, __raddle_fd_kind(fd)) < 0)
        return -1;
    if (copy < 0 || copy >= FDS)
        return fails_with(EBADF);
    if (may_fail())
        return fails();
    if (kinds[copy] > FD_OTHER)
        __raddle_unsupported("dup2 onto a pipe or event counter");
    kinds[copy] = FD_OTHER;
    return copy;
}

int dup3(int fd, int copy, int flags) { return fd == copy ? fails_with(EINVAL) : dup2(fd, copy); }

/* Locks of a file keep other processes out, not threads of this one. */
static int lock_of_file(int command, void *lock) {
    enum { F_GETLK = 5, F_SETLKW = 7, SIZE = sizeof(long) == 8 ? 32 : 16 };
    if (command == F_SETLKW)
        __raddle_cancel_point();
    __raddle_read_bytes(lock, SIZE);
    if (may_fail())
        return fails();
    if (command == F_GETLK)
        __raddle_fill(lock, SIZE);
    return 0;
}

/* Flags of descriptors that no one can ask us about are forgotten. */
static int control(int fd, int command, __builtin_va_list list) {
    enum { F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC = 1030 };
    int kind = __raddle_fd_kind(fd);
    if (kind == FD_CLOSED)
        return fails_with(EBADF);
    _Bool locks = command >= F_GETLK && command <= F_SETLKW;
    void *lock = locks ? __builtin_va_arg(list, void *) : NULL;
    _Bool no_argument = locks || command == F_GETFD || command == F_GETFL;
    int argument = no_argument ? 0 : __builtin_va_arg(list, int);
    if (locks)
        return lock_of_file(command, lock);
    if (command == F_SETFL) {
        never_waits[fd] = (argument & NONBLOCK) != 0;
        return 0;
    }
    if (command == F_SETFD)
        return 0;
    if (command == F_GETFD)
        return any_int() & 1;
    if (command == F_GETFL)
        return (int)(__raddle_input_u32() & 0x7ffff & ~NONBLOCK) | never_waits[fd] * NONBLOCK;
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return dup(fd);
    __raddle_unsupported("this command of fcntl");
}

int fcntl(int fd, int command, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, command);
    int result = control(fd, command, list);
    __builtin_va_end(list);
    return result;
}
/* Its name with -D_FILE_OFFSET_BITS=64. */
int fcntl64(int fd, int command, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, command);
    int result = control(fd, command, list);
    __builtin_va_end(list);
    return result;
}

/* Timers: time passes outside of the program. */
int timerfd_create(int clock, int flags) {
    if (may_fail())
        return fails();
    int fd = __raddle_fd_new(FD_TIMER);
    never_waits[fd] = (flags & NONBLOCK) != 0;
    return fd;
}
int timerfd_settime(int fd, int flags, const void *next, void *old) {
    __raddle_read_bytes(next, 4 * sizeof(long));
    if (old)
        __raddle_fill(old, 4 * sizeof(long));
    return __raddle_fd_kind(fd) == FD_CLOSED ? fails_with(EBADF) : 0;
}
int timerfd_gettime(int fd, void *now) {
    __raddle_fill(now, 4 * sizeof(long));
    return __raddle_fd_kind(fd) == FD_CLOSED ? fails_with(EBADF) : 0;
}

int flock(int fd, int operation) { return __raddle_fd_kind(fd) == FD_CLOSED ? fails_with(EBADF) : zero_or_fails(); }
int lockf(int fd, int command, long size) {
    __raddle_cancel_point();
    return flock(fd, 0);
}
int posix_fallocate(int fd, long offset, long size) { return __raddle_choice(2) ? 0 : 28; }
