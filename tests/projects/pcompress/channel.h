/* A channel with room for one block, from one stage of the pipeline to the next. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <pthread.h>
#include <stdbool.h>

#include "codec.h"

struct channel {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct block *block; /* NULL: empty */
    bool closed;
};

void channel_init(struct channel *channel);
void channel_destroy(struct channel *channel);
void channel_send(struct channel *channel, struct block *block);

/* NULL when the channel is closed and empty. */
struct block *channel_receive(struct channel *channel);
void channel_close(struct channel *channel);

#endif
