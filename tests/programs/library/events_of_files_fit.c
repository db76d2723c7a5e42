// An event that is read is one: its name ends inside of it.
// args: --property memory,assertions
// expect: SAFE
// expect explore: BOUNDED (some values of inputs are tried)
#include <assert.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

int main(void) {
    char buffer[64] __attribute__((aligned(8)));
    int fd = inotify_init();
    if (fd < 0 || inotify_add_watch(fd, ".", IN_CREATE) < 0)
        return 1;
    ssize_t size = read(fd, buffer, sizeof buffer);
    if (size <= 0)
        return 1;
    struct inotify_event *event = (struct inotify_event *)buffer;
    assert(size == (ssize_t)(sizeof *event + event->len));
    assert(event->len == 0 || memchr(event->name, 0, event->len));
    return 0;
}
