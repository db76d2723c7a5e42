#ifndef HTTP_H
#define HTTP_H

#include "config.h"

/* A request that has been read. */
struct request {
    char method[8];
    char path[128];
    int minor; /* version 1.minor */
};

/* Reads one request; a status of HTTP, 200 if it is well-formed. */
int http_read(int socket, const struct config *config, struct request *request);

/* Sends the file that the request asks for; the status that was sent, `*sent` the bytes. */
int http_answer(int socket, const struct config *config, const struct request *request,
                size_t *sent);
int http_error(int socket, int status);

#endif
