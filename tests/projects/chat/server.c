#include "server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { LINE_SIZE = 8, MOST_LINES = 1 };

/* Reads what the client says until it hangs up. */
static void *serve(void *argument) {
    struct session *session = argument;
    char line[LINE_SIZE];
    for (int i = 0; i < MOST_LINES; i++) {
        ssize_t size = recv(session->client->socket, line, sizeof line, 0);
        if (size < 0)
            fprintf(stderr, "%s: %s\n", session->client->name, strerror(errno));
        if (size <= 0)
            break;
        room_say(session->room, session->client, line, (size_t)size);
    }
    room_leave(session->room, session->client);
    return NULL;
}

bool server_start(struct session *session, struct room *room, int socket, const char *name) {
    session->room = room;
    session->client = room_join(room, socket, name);
    if (session->client == NULL)
        return false;
    if (pthread_create(&session->thread, NULL, serve, session) != 0) {
        room_leave(room, session->client);
        return false;
    }
    return true;
}

void server_wait(struct session *session) { pthread_join(session->thread, NULL); }
