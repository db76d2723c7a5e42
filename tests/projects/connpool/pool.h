/* A pool of connections that threads borrow and give back. */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>

#include "connection.h"

enum { POOL_MOST = 4 };

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t returned;
    struct connection *idle[POOL_MOST];
    unsigned idle_count;
    unsigned open_count; /* idle or borrowed */
    unsigned limit;
    unsigned short port;
};

void pool_init(struct pool *pool, unsigned limit, unsigned short port);

/* Nothing may be borrowed any more. */
void pool_destroy(struct pool *pool);

/* Waits if all connections are borrowed; NULL if no new one can be opened. */
struct connection *pool_borrow(struct pool *pool);

/* A broken connection is closed. */
void pool_return(struct pool *pool, struct connection *connection);

#endif
