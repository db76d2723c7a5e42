/* Run-length coding of small blocks: pairs of a count and a byte. */
#ifndef CODEC_H
#define CODEC_H

#include <stddef.h>

enum { BLOCK_SIZE = 4 };

struct block {
    unsigned number;
    size_t size;
    unsigned char data[2 * BLOCK_SIZE]; /* coded, it can be twice as long */
};

/* Codes a block in place. */
void codec_encode(struct block *block);

/* The number of bytes before coding. */
size_t codec_decoded_size(const struct block *block);

#endif
