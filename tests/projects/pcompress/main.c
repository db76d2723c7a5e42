/* A compressor whose reader, encoder and writer are threads in a row.
 *
 * repaired: SAFE or BOUNDED
 * bug: a receiver waits with `if` instead of `while`, and takes a spurious wakeup for the end
 * finding: deadlocks,assertions channel.c,main.c
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "stages.h"

int main(void) {
    pthread_t reader, encoder, writer;
    struct pipeline pipeline = {.input = STDIN_FILENO};
    pipeline.output = open("out.rle", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (pipeline.output < 0) {
        perror("out.rle");
        return EXIT_FAILURE;
    }
    channel_init(&pipeline.plain);
    channel_init(&pipeline.coded);
    pthread_create(&reader, NULL, stage_read, &pipeline);
    pthread_create(&encoder, NULL, stage_encode, &pipeline);
    pthread_create(&writer, NULL, stage_write, &pipeline);
    pthread_join(reader, NULL);
    pthread_join(encoder, NULL);
    pthread_join(writer, NULL);
    assert(pipeline.blocks_written == pipeline.blocks_read);
    assert(pipeline.bytes_written == pipeline.bytes_read);
    channel_destroy(&pipeline.coded);
    channel_destroy(&pipeline.plain);
    close(pipeline.output);
    return pipeline.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
