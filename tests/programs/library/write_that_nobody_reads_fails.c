// args: --property assertions,memory
// expect: UNSAFE assertions
// Without the signal a write that nobody can read fails with EPIPE.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int pipes[2], sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || pipe(pipes) != 0)
        return 1;
    close(sockets[1]);
    assert(send(sockets[0], "a", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    signal(SIGPIPE, SIG_IGN);
    close(pipes[0]);
    errno = 0;
    ssize_t written = write(pipes[1], "a", 1);
    assert(written == -1 && errno == EPIPE);
    assert(written == 1); //~ assertions
    return 0;
}
