/* Reading and writing by descriptor: unistd.h, sys/uio.h.
 *
 * A read gives any number of bytes up to the size, of any content, or fails; a write takes any
 * number of the caller's bytes, or fails. Pipes and event counters carry what was written and
 * wait for it (descriptors.c). A write that nobody can read any more ends the program by SIGPIPE, or fails where that is
 * ignored or has a handler.
 * left out: a read from a file, terminal or peer that waits for ever; a file that is written and
 * read back gives any content, as if others wrote to it, too.
 *
 * accesses: visible
 */
#include "any.h"

enum { EBADF = 9, EPIPE = 32, SIGPIPE = 13 };

/* signals.c. */
extern int __raddle_signals_managed;

typedef struct {
    void *start;
    size_t size;
} piece;

/* What descriptors.c has written hidden from races, as the caller would write it. */
static void write_again(unsigned char *data, size_t size) {
    for (size_t i = 0; i < size; i++)
        ((volatile unsigned char *)data)[i] = data[i];
}

enum use { READS, WRITES, WRITES_WITHOUT_SIGNAL };

/* As a thread that sends the signal to itself (sending_signals.c). */
static ssize_t nobody_reads(enum use use) {
    int known = use == WRITES_WITHOUT_SIGNAL ? 1 : __raddle_signal_sent(SIGPIPE);
    if (known != 1) {
        int managed = __atomic_load_n(&__raddle_signals_managed, __ATOMIC_SEQ_CST);
        if (!managed || known == 2 || __raddle_choice(2))
            __raddle_abort();
    }
    return fails_with(EPIPE);
}

/* In a section of its own, once the descriptor is ready. */
static ssize_t take_or_put(int fd, void *data, size_t size, enum use use) {
    _Bool writing = use != READS;
    if (__raddle_fd_kind(fd) == FD_EVENT && size < 8)
        return fails_with(EINVAL);
    __raddle_atomic_begin();
    int ready = __raddle_fd_ready(fd, writing);
    if (__raddle_fd_waits(fd))
        __raddle_block(ready || __raddle_cancel_pending());
    ssize_t done = -1;
    if (ready)
        done = writing ? __raddle_fd_put(fd, data, size) : __raddle_fd_take(fd, data, size);
    __raddle_atomic_end();
    if (__raddle_checking(RACES) && !writing && done > 0)
        write_again(data, (size_t)done);
    if (!ready) {
        __raddle_cancel_point();
        *__errno_location() = EAGAIN;
    } else if (writing && done < 0) {
        return nobody_reads(use);
    }
    return done;
}

/* How often a timer has expired: time passes outside. */
static ssize_t read_timer(int fd, unsigned long long *times, size_t size) {
    if (size < 8)
        return fails_with(EINVAL);
    if (!__raddle_fd_waits(fd) && __raddle_choice(2))
        return fails_with(EAGAIN);
    *times = 1ull + __raddle_input_u32();
    return 8;
}

ssize_t read(int fd, void *data, size_t size) {
    __raddle_cancel_point();
    __raddle_signal_point();
    int kind = __raddle_fd_kind(fd);
    if (kind == FD_CLOSED || kind == FD_PIPE_OUT)
        return fails_with(EBADF);
    if (kind == FD_TIMER)
        return read_timer(fd, data, size);
    if (kind == FD_SIGNAL)
        return __raddle_signal_read(fd, data, size);
    if (kind == FD_INOTIFY)
        return __raddle_inotify_read(fd, data, size);
    if (kind == FD_QUEUE)
        __raddle_unsupported("a read of a message queue without mq_receive");
    if (kind != FD_OTHER)
        return take_or_put(fd, data, size, READS);
    if (may_fail())
        return fails();
    size_t done = any_up_to(size);
    __raddle_fill(data, done);
    return (ssize_t)done;
}

static ssize_t written(int fd, const void *data, size_t size, enum use use) {
    __raddle_cancel_point();
    int kind = __raddle_fd_kind(fd);
    if (kind == FD_CLOSED || kind == FD_PIPE_IN)
        return fails_with(EBADF);
    if (kind == FD_TIMER || kind == FD_SIGNAL || kind == FD_QUEUE || kind == FD_INOTIFY)
        return fails_with(EINVAL);
    __raddle_read_bytes(data, size);
    if (kind != FD_OTHER)
        return take_or_put(fd, (void *)data, size, use);
    return may_fail() ? fails() : (ssize_t)any_up_to(size);
}

ssize_t write(int fd, const void *data, size_t size) { return written(fd, data, size, WRITES); }

/* For send with MSG_NOSIGNAL. */
ssize_t __raddle_write_without_signal(int fd, const void *data, size_t size) {
    return written(fd, data, size, WRITES_WITHOUT_SIGNAL);
}

static void only_files(int fd) {
    if (__raddle_fd_kind(fd) > FD_OTHER)
        __raddle_unsupported("this use of a pipe or event counter");
}

ssize_t pread(int fd, void *data, size_t size, long offset) {
    only_files(fd);
    return offset < 0 ? fails_with(EINVAL) : read(fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, long offset) {
    only_files(fd);
    return offset < 0 ? fails_with(EINVAL) : write(fd, data, size);
}

/* Bytes go into the pieces in order, each full before the next begins. */
ssize_t readv(int fd, const piece *pieces, int count) {
    only_files(fd);
    ssize_t all = 0;
    for (int i = 0; i < count; i++) {
        ssize_t done = read(fd, pieces[i].start, pieces[i].size);
        if (done < 0)
            return i == 0 ? -1 : all;
        all += done;
        if ((size_t)done < pieces[i].size)
            break;
    }
    return all;
}

ssize_t writev(int fd, const piece *pieces, int count) {
    __raddle_cancel_point();
    only_files(fd);
    ssize_t all = 0;
    int short_write = 0;
    for (int i = 0; i < count; i++) {
        __raddle_read_bytes(pieces[i].start, pieces[i].size);
        if (short_write)
            continue;
        ssize_t done = (ssize_t)any_up_to(pieces[i].size);
        all += done;
        short_write = (size_t)done < pieces[i].size;
    }
    return may_fail() ? fails() : all;
}

ssize_t preadv(int fd, const piece *pieces, int count, long offset) {
    return offset < 0 ? fails_with(EINVAL) : readv(fd, pieces, count);
}
ssize_t pwritev(int fd, const piece *pieces, int count, long offset) {
    return offset < 0 ? fails_with(EINVAL) : writev(fd, pieces, count);
}

ssize_t sendfile(int to, int from, long *offset, size_t size) {
    only_files(to);
    only_files(from);
    if (may_fail())
        return fails();
    size_t done = any_up_to(size);
    if (offset)
        *offset += (long)done;
    return (ssize_t)done;
}

/* From one file to another, from and to given places or where they stand. */
ssize_t copy_file_range(int from, long *from_offset, int to, long *to_offset, size_t size, unsigned flags) {
    ssize_t done = sendfile(to, from, from_offset, size);
    if (done > 0 && to_offset)
        *to_offset += done;
    return done;
}

int eventfd_read(int fd, unsigned long long *value) { return read(fd, value, 8) == 8 ? 0 : -1; }
int eventfd_write(int fd, unsigned long long value) { return write(fd, &value, 8) == 8 ? 0 : -1; }
