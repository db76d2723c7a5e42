/* signalfd.c and inotify.c: what is read has the form of the native headers; failures are the native ones. */
#include "driver.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

int model_signalfd(int, const sigset_t *, int), model_inotify_init1(int);
int model_inotify_add_watch(int, const char *, unsigned), model_inotify_rm_watch(int, int);
ssize_t model_read(int, void *, size_t);
int *model___errno_location(void);

#define SAME(native, model)                                                                        \
    do {                                                                                           \
        errno = *model___errno_location() = 0;                                                     \
        long a = (native), b = (model);                                                            \
        EXPECT(a == b && errno == *model___errno_location(), "%s: %ld %ld, errno %d %d", #model, a, b, errno, \
               *model___errno_location());                                                          \
    } while (0)

static void signals(void) {
    static sigset_t all;
    struct {
        struct signalfd_siginfo info;
        char behind[8];
    } read_in;
    memset(&all, 0xff, sizeof all);
    int native = signalfd(-1, &all, SFD_NONBLOCK), model;
    while ((model = model_signalfd(-1, &all, 0)) < 0) {
    }
    SAME(signalfd(99, &all, 0), model_signalfd(63, &all, 0));
    SAME(signalfd(0, &all, 0), model_signalfd(0, &all, 0));
    SAME(read(native, &read_in, 8), model_read(model, &read_in, 8));
    for (int i = 0; i < 100; i++) {
        memset(&read_in, '#', sizeof read_in);
        EXPECT(model_read(model, &read_in.info, sizeof read_in) == sizeof read_in.info, "size");
        EXPECT(read_in.info.ssi_signo >= 1 && read_in.info.ssi_signo <= 64, "signal");
        EXPECT(memcmp(read_in.behind, "########", 8) == 0, "beyond one signal");
    }
    close(native);
}

static void watches(void) {
    int native = inotify_init1(IN_NONBLOCK), model, watch;
    while ((model = model_inotify_init1(IN_NONBLOCK)) < 0) {
    }
    SAME(inotify_add_watch(99, "/", IN_CREATE), model_inotify_add_watch(63, "/", IN_CREATE));
    SAME(inotify_add_watch(0, "/", IN_CREATE), model_inotify_add_watch(0, "/", IN_CREATE));
    SAME(inotify_rm_watch(native, 5), model_inotify_rm_watch(model, 5));
    while ((watch = model_inotify_add_watch(model, "/", IN_CREATE)) < 0) {
    }
    EXPECT(watch == inotify_add_watch(native, "/", IN_CREATE), "the first watch is %d", watch);
    close(native);
}

int main(void) {
    signals();
    watches();
    return finish();
}
