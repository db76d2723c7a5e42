/* The file that records go to. It is replaced by a new one when it is full, or when somebody asks. */
#ifndef SINK_H
#define SINK_H

#include <pthread.h>
#include <stdio.h>

#include "ring.h"

struct sink {
    pthread_mutex_t lock;
    const char *path;
    FILE *file; /* NULL if it could not be opened */
    unsigned lines, most_lines;
    unsigned rotations;
};

void sink_open(struct sink *sink, const char *path, unsigned most_lines);
void sink_write(struct sink *sink, const struct record *record);
void sink_rotate(struct sink *sink);
void sink_close(struct sink *sink);

#endif
