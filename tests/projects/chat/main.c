/* A chat server with a thread for each client.
 *
 * repaired: SAFE or BOUNDED
 * bug: a text is sent to a client that has left meanwhile, and is freed
 * finding: memory room.c
 */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server.h"

static struct room room;

static int listen_on(unsigned short port) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0)
        return -1;
    int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, ROOM_SIZE) != 0) {
        close(listener);
        return -1;
    }
    return listener;
}

int main(void) {
    static const char *names[ROOM_SIZE] = {"ann", "bob"};
    struct session sessions[ROOM_SIZE];
    int started = 0;
    room_init(&room);
    int listener = listen_on(6667);
    if (listener < 0) {
        perror("listen");
        return EXIT_FAILURE;
    }
    while (started < ROOM_SIZE) {
        int socket = accept(listener, NULL, NULL);
        if (socket < 0)
            break;
        if (!server_start(&sessions[started], &room, socket, names[started])) {
            close(socket);
            break;
        }
        started++;
    }
    for (int i = 0; i < started; i++)
        server_wait(&sessions[i]);
    close(listener);
    room_destroy(&room);
    return EXIT_SUCCESS;
}
