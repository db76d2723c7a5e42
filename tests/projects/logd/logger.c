#include "logger.h"

#include <stdio.h>
#include <string.h>

static void *write_records(void *argument) {
    struct logger *logger = argument;
    struct record record;
    while (ring_get(&logger->ring, &record))
        sink_write(&logger->sink, &record);
    return NULL;
}

int logger_start(struct logger *logger, const char *path) {
    ring_init(&logger->ring);
    sink_open(&logger->sink, path, 2);
    int error = pthread_create(&logger->writer, NULL, write_records, logger);
    if (error != 0) {
        sink_close(&logger->sink);
        ring_destroy(&logger->ring);
    }
    return error;
}

bool logger_log(struct logger *logger, enum level level, unsigned source, const char *text) {
    struct record record = {.level = level, .source = source};
    strncpy(record.text, text, sizeof record.text - 1);
    return ring_put(&logger->ring, &record);
}

void logger_stop(struct logger *logger) {
    ring_close(&logger->ring);
    pthread_join(logger->writer, NULL);
    sink_close(&logger->sink);
    ring_destroy(&logger->ring);
}
