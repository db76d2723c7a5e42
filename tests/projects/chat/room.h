/* Who is in the chat room. */
#ifndef ROOM_H
#define ROOM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { ROOM_SIZE = 2, NAME_SIZE = 8 };

struct client {
    int socket;
    char name[NAME_SIZE];
    unsigned received;
    bool gone;
};

struct room {
    pthread_mutex_t lock;
    struct client *clients[ROOM_SIZE];
    unsigned count;
};

void room_init(struct room *room);
void room_destroy(struct room *room);

/* NULL if the room is full. */
struct client *room_join(struct room *room, int socket, const char *name);

/* Closes the client's connection and frees it. */
void room_leave(struct room *room, struct client *client);

/* Sends a text to all but one; gives the number of those who got it. */
unsigned room_say(struct room *room, const struct client *from, const char *text, size_t size);

#endif
