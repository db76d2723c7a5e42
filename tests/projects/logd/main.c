/* A log daemon: threads log, a writer writes, an operator asks for a new file.
 *
 * repaired: SAFE or BOUNDED
 * bug: the writer prints to the stream without the lock that rotation takes
 * finding: memory sink.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "logger.h"

static struct logger logger;

static void *serve(void *argument) {
    unsigned number = (unsigned)(size_t)argument;
    logger_log(&logger, LEVEL_INFO, number, "ready");
    logger_log(&logger, LEVEL_ERROR, number, "out of paper");
    return NULL;
}

int main(void) {
    pthread_t server;
    int error = logger_start(&logger, "daemon.log");
    if (error != 0) {
        fprintf(stderr, "no logger: %s\n", strerror(error));
        return EXIT_FAILURE;
    }
    if (pthread_create(&server, NULL, serve, (void *)1) != 0)
        return EXIT_FAILURE;
    sink_rotate(&logger.sink);
    pthread_join(server, NULL);
    logger_stop(&logger);
    return EXIT_SUCCESS;
}
