#define _GNU_SOURCE
#include "http.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *reason(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    default:
        return "Internal Server Error";
    }
}

static bool send_all(int socket, const void *data, size_t size) {
    const char *next = data;
    while (size > 0) {
        ssize_t sent = send(socket, next, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        next += sent;
        size -= (size_t)sent;
    }
    return true;
}

/* Waits until there is something to read. */
static int wait_for_data(int socket, unsigned seconds) {
    struct pollfd ready = {.fd = socket, .events = POLLIN};
    int result;
    do
        result = poll(&ready, 1, (int)seconds * 1000);
    while (result < 0 && errno == EINTR);
    return result;
}

int http_read(int socket, const struct config *config, struct request *request) {
    char buffer[1024];
    size_t used = 0;
    for (;;) {
        int ready = wait_for_data(socket, config->timeout);
        if (ready == 0)
            return 408;
        if (ready < 0)
            return 500;
        ssize_t got = recv(socket, buffer + used, sizeof buffer - 1 - used, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 400;
        used += (size_t)got;
        buffer[used] = '\0';
        if (strstr(buffer, "\r\n\r\n") != NULL)
            break;
        if (used == sizeof buffer - 1)
            return 400;
    }
    if (sscanf(buffer, "%7s %127s HTTP/1.%d", request->method, request->path, &request->minor) != 3)
        return 400;
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
        return 405;
    if (request->path[0] != '/' || strstr(request->path, "/../") != NULL)
        return 400;
    return 200;
}

int http_error(int socket, int status) {
    char text[256];
    int length = snprintf(text, sizeof text,
                          "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", status,
                          reason(status));
    if (length > 0 && (size_t)length < sizeof text)
        send_all(socket, text, (size_t)length);
    return status;
}

static bool send_file(int socket, int file, off_t size, size_t *sent) {
    char block[4096];
    while ((off_t)*sent < size) {
        ssize_t got = read(file, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        if (!send_all(socket, block, (size_t)got))
            return false;
        *sent += (size_t)got;
    }
    return true;
}

int http_answer(int socket, const struct config *config, const struct request *request,
                size_t *sent) {
    char *name = NULL;
    size_t length = strlen(request->path);
    bool folder = request->path[length - 1] == '/';
    *sent = 0;
    if (asprintf(&name, "%s%s%s", config->root, request->path, folder ? config->index : "") < 0)
        return http_error(socket, 500);
    int file = open(name, O_RDONLY | O_CLOEXEC);
    free(name);
    if (file < 0)
        return http_error(socket, errno == ENOENT ? 404 : 500);
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(file);
        return http_error(socket, 404);
    }
    char head[256];
    int size = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %lld\r\n\r\n",
                        (long long)status.st_size);
    bool ok = send_all(socket, head, (size_t)size);
    if (ok && strcmp(request->method, "GET") == 0)
        ok = send_file(socket, file, status.st_size, sent);
    close(file);
    return ok ? 200 : 500;
}
