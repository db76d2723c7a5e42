/* What programs call: messages go through the ring to a thread that writes them. */
#ifndef LOGGER_H
#define LOGGER_H

#include "ring.h"
#include "sink.h"

struct logger {
    struct ring ring;
    struct sink sink;
    pthread_t writer;
};

int logger_start(struct logger *logger, const char *path);
bool logger_log(struct logger *logger, enum level level, unsigned source, const char *text);
void logger_stop(struct logger *logger);

#endif
