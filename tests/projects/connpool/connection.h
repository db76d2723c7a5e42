/* A connection to a server that answers lines with lines. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stddef.h>

struct connection {
    int socket;
    bool broken;
    unsigned long requests;
};

/* NULL if there is no connection to be had; errno says why. */
struct connection *connection_open(unsigned short port);
void connection_close(struct connection *connection);

/* Sends a line and reads the answer; false if the peer is gone. */
bool connection_ask(struct connection *connection, const char *line, char *answer, size_t size);

#endif
