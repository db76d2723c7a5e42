#include "codec.h"

#include <assert.h>
#include <string.h>

void codec_encode(struct block *block) {
    unsigned char plain[BLOCK_SIZE];
    size_t size = block->size, out = 0;
    assert(size <= BLOCK_SIZE);
    memcpy(plain, block->data, size);
    for (size_t i = 0; i < size;) {
        size_t run = 1;
        while (i + run < size && plain[i + run] == plain[i])
            run++;
        block->data[out++] = (unsigned char)run;
        block->data[out++] = plain[i];
        i += run;
    }
    block->size = out;
}

size_t codec_decoded_size(const struct block *block) {
    size_t size = 0;
    for (size_t i = 0; i < block->size; i += 2)
        size += block->data[i];
    return size;
}
