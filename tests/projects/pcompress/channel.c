#include "channel.h"

#include <stddef.h>

void channel_init(struct channel *channel) {
    pthread_mutex_init(&channel->lock, NULL);
    pthread_cond_init(&channel->changed, NULL);
    channel->block = NULL;
    channel->closed = false;
}

void channel_destroy(struct channel *channel) {
    pthread_cond_destroy(&channel->changed);
    pthread_mutex_destroy(&channel->lock);
}

void channel_send(struct channel *channel, struct block *block) {
    pthread_mutex_lock(&channel->lock);
    while (channel->block != NULL)
        pthread_cond_wait(&channel->changed, &channel->lock);
    channel->block = block;
    pthread_cond_signal(&channel->changed);
    pthread_mutex_unlock(&channel->lock);
}

struct block *channel_receive(struct channel *channel) {
    pthread_mutex_lock(&channel->lock);
#ifdef BUG
    /* Once is enough, or is it? The wait may end without a block. */
    if (channel->block == NULL && !channel->closed)
        pthread_cond_wait(&channel->changed, &channel->lock);
#else
    while (channel->block == NULL && !channel->closed)
        pthread_cond_wait(&channel->changed, &channel->lock);
#endif
    struct block *block = channel->block;
    channel->block = NULL;
    pthread_cond_signal(&channel->changed);
    pthread_mutex_unlock(&channel->lock);
    return block;
}

void channel_close(struct channel *channel) {
    pthread_mutex_lock(&channel->lock);
    channel->closed = true;
    pthread_cond_broadcast(&channel->changed);
    pthread_mutex_unlock(&channel->lock);
}
