#include "pool.h"

#include <assert.h>
#include <stdio.h>

void pool_init(struct pool *pool, unsigned limit, unsigned short port) {
    assert(limit <= POOL_MOST);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->returned, NULL);
    pool->idle_count = pool->open_count = 0;
    pool->limit = limit;
    pool->port = port;
}

void pool_destroy(struct pool *pool) {
    assert(pool->open_count == pool->idle_count);
    while (pool->idle_count > 0)
        connection_close(pool->idle[--pool->idle_count]);
    pthread_cond_destroy(&pool->returned);
    pthread_mutex_destroy(&pool->lock);
}

struct connection *pool_borrow(struct pool *pool) {
    struct connection *connection;

    pthread_mutex_lock(&pool->lock);
    while (pool->idle_count == 0 && pool->open_count == pool->limit)
        pthread_cond_wait(&pool->returned, &pool->lock);
    if (pool->idle_count > 0) {
        connection = pool->idle[--pool->idle_count];
    } else {
        connection = connection_open(pool->port);
        if (connection == NULL) {
            perror("connect");
#ifdef BUG
            return NULL; /* with the lock */
#else
            pthread_mutex_unlock(&pool->lock);
            return NULL;
#endif
        }
        pool->open_count++;
    }
    pthread_mutex_unlock(&pool->lock);
    return connection;
}

void pool_return(struct pool *pool, struct connection *connection) {
    pthread_mutex_lock(&pool->lock);
    if (connection->broken) {
        connection_close(connection);
        pool->open_count--;
    } else {
        pool->idle[pool->idle_count++] = connection;
    }
    pthread_cond_signal(&pool->returned);
    pthread_mutex_unlock(&pool->lock);
}
