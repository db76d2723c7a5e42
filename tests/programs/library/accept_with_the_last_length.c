// args: --property memory,assertions
// expect: SAFE
// Addresses of one family are of one length: it need not be set again for the next call.
#include <arpa/inet.h>
#include <assert.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    if (server < 0 || listen(server, 5) < 0)
        return 1;
    for (int i = 0; i < 2; i++) {
        int client = accept(server, (struct sockaddr *)&peer, &length);
        if (client < 0)
            continue;
        assert(length == sizeof peer && peer.sin_family == AF_INET);
        close(client);
    }
    close(server);
    return 0;
}
