#define _GNU_SOURCE
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "config.h"
#include "http.h"
#include "log.h"

static void count(struct server *server, int status, size_t bytes) {
    atomic_fetch_add(&server->statistics.requests, 1);
    if (status >= 400)
        atomic_fetch_add(&server->statistics.errors, 1);
    pthread_mutex_lock(&server->statistics.lock);
    server->statistics.bytes += bytes;
    pthread_mutex_unlock(&server->statistics.lock);
}

static void serve(struct server *server, int socket) {
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    char name[INET_ADDRSTRLEN] = "?";
    if (getpeername(socket, (struct sockaddr *)&peer, &length) == 0)
        inet_ntop(AF_INET, &peer.sin_addr, name, sizeof name);

    struct config *config = config_get();
    struct request request = {0};
    size_t sent = 0;
    int status = http_read(socket, config, &request);
    if (status == 200)
        status = http_answer(socket, config, &request, &sent);
    else
        http_error(socket, status);
    config_release(config);

    count(server, status, sent);
    if (server->options->verbose || status >= 500)
        log_request(name, request.method, request.path, status, sent);
    shutdown(socket, SHUT_RDWR);
    close(socket);
}

static void *work(void *argument) {
    struct server *server = argument;
    int socket;
    while ((socket = queue_take(&server->queue)) >= 0)
        serve(server, socket);
    return NULL;
}

static void *accept_loop(void *argument) {
    struct server *server = argument;
    while (!atomic_load(&server->stopping)) {
        int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0) {
            if (errno == EINTR || errno == ECONNABORTED)
                continue;
            break;
        }
        struct timeval limit = {.tv_sec = 5};
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        if (!queue_put(&server->queue, socket)) {
            http_error(socket, 503);
            close(socket);
        }
    }
    return NULL;
}

static int open_listener(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0)
        return -1;
    int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 16) != 0) {
        int error = errno;
        close(listener);
        errno = error;
        return -1;
    }
    return listener;
}

int server_start(struct server *server, const struct options *options) {
    memset(server, 0, sizeof *server);
    server->options = options;
    server->listener = open_listener(options->port);
    if (server->listener < 0)
        return errno;
    int error = queue_init(&server->queue);
    if (error == 0)
        error = pthread_mutex_init(&server->statistics.lock, NULL);
    for (int i = 0; error == 0 && i < options->workers; i++) {
        error = pthread_create(&server->workers[i], NULL, work, server);
        if (error == 0) {
            char name[16];
            snprintf(name, sizeof name, "worker-%d", i);
            pthread_setname_np(server->workers[i], name);
            server->started++;
        }
    }
    if (error == 0)
        error = pthread_create(&server->acceptor, NULL, accept_loop, server);
    return error;
}

void server_stop(struct server *server) {
    atomic_store(&server->stopping, true);
    shutdown(server->listener, SHUT_RDWR);
    pthread_join(server->acceptor, NULL);
    close(server->listener);
    queue_close(&server->queue);
    for (int i = 0; i < server->started; i++)
        pthread_join(server->workers[i], NULL);
    log_message("%lu requests, %lu errors, %lu bytes", atomic_load(&server->statistics.requests),
                atomic_load(&server->statistics.errors), server->statistics.bytes);
    pthread_mutex_destroy(&server->statistics.lock);
    queue_destroy(&server->queue);
}
