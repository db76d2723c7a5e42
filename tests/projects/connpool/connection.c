#include "connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct connection *connection_open(unsigned short port) {
    struct connection *connection = malloc(sizeof *connection);
    if (connection == NULL)
        return NULL;
    connection->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connection->socket < 0) {
        free(connection);
        return NULL;
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(connection->socket, (struct sockaddr *)&address, sizeof address) != 0) {
        close(connection->socket);
        free(connection);
        return NULL;
    }
    connection->broken = false;
    connection->requests = 0;
    return connection;
}

void connection_close(struct connection *connection) {
    close(connection->socket);
    free(connection);
}

bool connection_ask(struct connection *connection, const char *line, char *answer, size_t size) {
    size_t length = strlen(line);
    connection->requests++;
    if (send(connection->socket, line, length, 0) != (ssize_t)length) {
        connection->broken = true;
        return false;
    }
    ssize_t got = recv(connection->socket, answer, size - 1, 0);
    if (got <= 0) {
        connection->broken = true;
        return false;
    }
    answer[got] = '\0';
    return true;
}
