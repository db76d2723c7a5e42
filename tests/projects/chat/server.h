/* A thread for each client of the room. */
#ifndef SERVER_H
#define SERVER_H

#include "room.h"

struct session {
    struct room *room;
    struct client *client;
    pthread_t thread;
};

/* Serves a connection; false if the room is full or there is no thread. */
bool server_start(struct session *session, struct room *room, int socket, const char *name);
void server_wait(struct session *session);

#endif
