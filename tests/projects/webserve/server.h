#ifndef SERVER_H
#define SERVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "options.h"
#include "queue.h"

struct statistics {
    atomic_ulong requests;
    atomic_ulong errors;
    unsigned long bytes; /* under `lock` */
    pthread_mutex_t lock;
};

struct server {
    const struct options *options;
    struct queue queue;
    struct statistics statistics;
    pthread_t workers[2];
    int started;
    pthread_t acceptor;
    int listener;
    atomic_bool stopping;
};

/* 0, or an error number. */
int server_start(struct server *server, const struct options *options);
void server_stop(struct server *server);

#endif
