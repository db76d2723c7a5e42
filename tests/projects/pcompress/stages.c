#include "stages.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST_BLOCKS = 2 };

void *stage_read(void *argument) {
    struct pipeline *pipeline = argument;
    while (pipeline->blocks_read < MOST_BLOCKS) {
        struct block *block = malloc(sizeof *block);
        if (block == NULL)
            break;
        ssize_t got = read(pipeline->input, block->data, BLOCK_SIZE);
        if (got <= 0) {
            free(block);
            break;
        }
        block->number = pipeline->blocks_read++;
        block->size = (size_t)got;
        pipeline->bytes_read += block->size;
        channel_send(&pipeline->plain, block);
    }
    channel_close(&pipeline->plain);
    return NULL;
}

void *stage_encode(void *argument) {
    struct pipeline *pipeline = argument;
    struct block *block;
    while ((block = channel_receive(&pipeline->plain)) != NULL) {
        codec_encode(block);
        channel_send(&pipeline->coded, block);
    }
    channel_close(&pipeline->coded);
    return NULL;
}

void *stage_write(void *argument) {
    struct pipeline *pipeline = argument;
    struct block *block;
    while ((block = channel_receive(&pipeline->coded)) != NULL) {
        if (write(pipeline->output, block->data, block->size) != (ssize_t)block->size)
            pipeline->failed = true;
        if (block->number != pipeline->blocks_written)
            pipeline->failed = true;
        pipeline->blocks_written++;
        pipeline->bytes_written += codec_decoded_size(block);
        free(block);
    }
    return NULL;
}
