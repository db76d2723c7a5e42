#include "room.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void room_init(struct room *room) {
    pthread_mutex_init(&room->lock, NULL);
    room->count = 0;
}

void room_destroy(struct room *room) {
    for (unsigned i = 0; i < room->count; i++) {
        close(room->clients[i]->socket);
        free(room->clients[i]);
    }
    pthread_mutex_destroy(&room->lock);
}

struct client *room_join(struct room *room, int socket, const char *name) {
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    client->socket = socket;
    strncpy(client->name, name, sizeof client->name - 1);
    pthread_mutex_lock(&room->lock);
    if (room->count == ROOM_SIZE) {
        pthread_mutex_unlock(&room->lock);
        free(client);
        return NULL;
    }
    room->clients[room->count++] = client;
    pthread_mutex_unlock(&room->lock);
    return client;
}

void room_leave(struct room *room, struct client *client) {
    pthread_mutex_lock(&room->lock);
    for (unsigned i = 0; i < room->count; i++) {
        if (room->clients[i] == client) {
            room->clients[i] = room->clients[--room->count];
            break;
        }
    }
    pthread_mutex_unlock(&room->lock);
    close(client->socket);
    free(client);
}

static bool deliver(struct client *client, const char *text, size_t size) {
    if (client->gone)
        return false;
    if (send(client->socket, text, size, MSG_NOSIGNAL) < 0) {
        client->gone = true;
        return false;
    }
    client->received++;
    return true;
}

unsigned room_say(struct room *room, const struct client *from, const char *text, size_t size) {
    unsigned reached = 0;
#ifdef BUG
    /* Sending may take long, so only the list is copied under the lock. */
    struct client *clients[ROOM_SIZE];
    pthread_mutex_lock(&room->lock);
    unsigned count = room->count;
    for (unsigned i = 0; i < count; i++)
        clients[i] = room->clients[i];
    pthread_mutex_unlock(&room->lock);
    for (unsigned i = 0; i < count; i++)
        if (clients[i] != from)
            reached += deliver(clients[i], text, size);
#else
    pthread_mutex_lock(&room->lock);
    for (unsigned i = 0; i < room->count; i++)
        if (room->clients[i] != from)
            reached += deliver(room->clients[i], text, size);
    pthread_mutex_unlock(&room->lock);
#endif
    return reached;
}
