/* The stages of the pipeline: each is a thread. */
#ifndef STAGES_H
#define STAGES_H

#include "channel.h"

struct pipeline {
    struct channel plain, coded;
    int input, output; /* file descriptors */
    unsigned blocks_read, blocks_written;
    unsigned long bytes_read, bytes_written;
    bool failed;
};

void *stage_read(void *pipeline);
void *stage_encode(void *pipeline);
void *stage_write(void *pipeline);

#endif
