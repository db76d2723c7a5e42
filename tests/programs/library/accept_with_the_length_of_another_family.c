// args: --property memory
// expect: UNSAFE memory
// The address may be longer than the room; its length says so, and is taken for the room in the next call.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>

static int next(int server, struct sockaddr_in *peer, socklen_t *length) {
    return accept(server, (struct sockaddr *)peer, length); //~ memory
}

int main(void) {
    int local = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    if (local < 0)
        return 1;
    next(local, &peer, &length);
    next(local, &peer, &length);
    return 0;
}
