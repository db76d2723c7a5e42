/* descriptors.c, file_io.c and poll.c against native pipes and event counters: random calls of one
 * thread on descriptors that never wait. */
#include "driver.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int model_pipe2(int *, int), model_eventfd(unsigned, int), model_close(int);
ssize_t model_read(int, void *, size_t), model_write(int, const void *, size_t);
int model_poll(struct pollfd *, unsigned long, int);
int model_socketpair(int, int, int, int *), model_shutdown(int, int);
ssize_t model_send(int, const void *, size_t, int), model_recv(int, void *, size_t, int);
int *model___errno_location(void);

/* The models number descriptors themselves, so each of ours has two numbers. */
typedef struct {
    int model, native;
} fd;

static void same_result(const char *what, ssize_t a, ssize_t b) {
    EXPECT(a == b, "%s: %zd %zd", what, a, b);
    if (a < 0 && b < 0)
        EXPECT(*model___errno_location() == errno, "%s: %d %d", what, *model___errno_location(), errno);
}

static void read_both(fd from, size_t size) {
    char x[16], y[16];
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    same_result("read", model_read(from.model, x, size), read(from.native, y, size));
    EXPECT(memcmp(x, y, sizeof x) == 0, "bytes of size %zu", size);
}

static void write_both(fd to, const void *data, size_t size) {
    same_result("write", model_write(to.model, data, size), write(to.native, data, size));
}

static void poll_both(fd one, short events) {
    struct pollfd x = {one.model, events, 0}, y = {one.native, events, 0};
    int a;
    /* A call may be interrupted in the model. */
    while ((a = model_poll(&x, 1, 0)) < 0) {
    }
    int b = poll(&y, 1, 0);
    EXPECT(a == b && x.revents == y.revents, "poll: %d %d, %d %d", a, b, x.revents, y.revents);
}

/* Both directions at once, and the ends of both. */
static void check_pair(void) {
    int m[2], n[2];
    while (model_socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, m) != 0) {
    }
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, n) == 0, "no pair");
    fd ends[2] = {{m[0], n[0]}, {m[1], n[1]}};
    unsigned written[2] = {0, 0};
    for (int i = 0; i < 200; i++) {
        unsigned e = below(2), size = below(6);
        poll_both(ends[e], POLLIN | POLLOUT);
        if (written[e] + size <= 60 && below(3) == 0) {
            same_result("send", model_send(ends[e].model, "abcdefgh", size, MSG_NOSIGNAL),
                        send(ends[e].native, "abcdefgh", size, MSG_NOSIGNAL));
            written[e] += size;
        }
        read_both(ends[e], 1 + below(8));
    }
    /* First one direction ends, then the other. */
    for (int both = 0; both < 2; both++) {
        if (both)
            same_result("close", model_close(m[0]), close(n[0]));
        else
            same_result("shutdown", model_shutdown(m[0], SHUT_WR), shutdown(n[0], SHUT_WR));
        for (int i = 0; i < 10; i++) {
            poll_both(ends[1], i % 2 ? POLLIN : 0);
            read_both(ends[1], 8);
        }
    }
    same_result("close", model_close(m[1]), close(n[1]));
}

int main(int count, char **arguments) {
    srand(count > 1 ? (unsigned)atoi(arguments[1]) : 1);
    int m[2], n[2];
    while (model_pipe2(m, O_NONBLOCK) != 0) {
    }
    EXPECT(pipe2(n, O_NONBLOCK) == 0, "no pipe");
    fd in = {m[0], n[0]}, out = {m[1], n[1]}, counter, semaphore;
    while ((counter.model = model_eventfd(3, EFD_NONBLOCK)) < 0) {
    }
    while ((semaphore.model = model_eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE)) < 0) {
    }
    counter.native = eventfd(3, EFD_NONBLOCK);
    semaphore.native = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE);
    unsigned written = 0;
    for (int i = 0; i < 200; i++) {
        unsigned long long number = below(3);
        size_t size = below(9);
        poll_both(counter, POLLIN);
        poll_both(semaphore, POLLIN | POLLOUT);
        poll_both(out, POLLOUT);
        poll_both(in, POLLIN);
        if (written + size <= 60 && below(3) == 0) {
            write_both(out, "abcdefgh", size);
            written += (unsigned)size;
        }
        read_both(in, 1 + below(8));
        write_both(below(2) ? counter : semaphore, &number, 8);
        read_both(below(2) ? counter : semaphore, below(2) ? 8 : 4 + below(5));
    }
    same_result("close", model_close(out.model), close(out.native));
    for (int i = 0; i < 10; i++) {
        poll_both(in, i % 2 ? POLLIN : 0);
        read_both(in, 8);
    }
    same_result("close", model_close(in.model), close(in.native));
    same_result("close", model_close(in.model), close(in.native));
    read_both(in, 8);
    /* Who writes to nobody. A pair takes two of the model's four pipes. */
    while (model_pipe2(m, O_NONBLOCK) != 0) {
    }
    EXPECT(pipe2(n, O_NONBLOCK) == 0, "no pipe");
    fd lonely = {m[1], n[1]};
    same_result("close", model_close(m[0]), close(n[0]));
    poll_both(lonely, POLLOUT);
    poll_both(lonely, 0);
    check_pair();
    return finish();
}
