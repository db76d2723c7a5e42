/* inotify: what happens to files, read from a descriptor.
 *
 * A read gives one event of any kind for a watch that was added, with a name of up to 15 characters or none; one that never waits may find none.
 * left out: more than one event in a read; reads that wait for ever; events of watches that were removed are not kept apart from others.
 *
 * accesses: visible
 */
#include "any.h"

enum { NONBLOCK = 04000, EBADF = 9, NAME = 16, HEAD = 16 };

/* As in the header, with the longest name that there is here. */
typedef struct {
    int watch;
    unsigned what, cookie, length;
    char name[NAME];
} event;
_Static_assert(__builtin_offsetof(event, name) == HEAD, "as in the header");

int fcntl(int fd, int command, ...);

/* Numbers of watches are given out one after the other. */
static int watches;

int inotify_init1(int flags) {
    enum { F_SETFL = 4 };
    if (may_fail())
        return fails();
    int fd = __raddle_fd_new(FD_INOTIFY);
    if (flags & NONBLOCK)
        fcntl(fd, F_SETFL, NONBLOCK);
    return fd;
}
int inotify_init(void) { return inotify_init1(0); }

int inotify_add_watch(int fd, const char *path, unsigned wanted) {
    read_text(path);
    if (__raddle_fd_kind(fd) != FD_INOTIFY)
        return fails_with(__raddle_fd_kind(fd) == FD_CLOSED ? EBADF : EINVAL);
    if (may_fail())
        return fails();
    __raddle_atomic_begin();
    int number = watches + 1;
    watches = number;
    __raddle_atomic_end();
    return number;
}

int inotify_rm_watch(int fd, int watch) {
    if (__raddle_fd_kind(fd) != FD_INOTIFY)
        return fails_with(__raddle_fd_kind(fd) == FD_CLOSED ? EBADF : EINVAL);
    __raddle_atomic_begin();
    int known = watch >= 1 && watch <= watches;
    __raddle_atomic_end();
    return known ? zero_or_fails() : fails_with(EINVAL);
}

ssize_t __raddle_inotify_read(int fd, void *data, size_t size) {
    event *to = data;
    if (!__raddle_fd_waits(fd) && __raddle_choice(2))
        return fails_with(EAGAIN);
    /* Without a watch it would wait for ever. */
    __raddle_atomic_begin();
    int number = watches;
    __raddle_assume(number != 0);
    __raddle_atomic_end();
    int watch = any_int();
    _Bool has_name = __raddle_choice(2) == 0;
    size_t length = HEAD + (has_name ? NAME : 0);
    if (size < length)
        return fails_with(EINVAL);
    __raddle_assume(watch >= 1 && watch <= number);
    to->watch = watch;
    to->what = __raddle_input_u32();
    to->cookie = __raddle_input_u32();
    to->length = has_name ? NAME : 0;
    if (has_name) {
        __raddle_fill(to->name, NAME);
        to->name[NAME - 1] = 0;
    }
    return (ssize_t)length;
}
