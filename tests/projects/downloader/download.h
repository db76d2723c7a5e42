/* One download: a thread that reads from a socket and writes to a file, and can be cancelled. */
#ifndef DOWNLOAD_H
#define DOWNLOAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum download_state { DOWNLOAD_RUNNING, DOWNLOAD_DONE, DOWNLOAD_FAILED, DOWNLOAD_CANCELLED };

struct manager;

struct download {
    struct manager *manager;
    unsigned number;
    int source; /* a socket */
    FILE *file;
    char *buffer;
    unsigned long bytes;
    enum download_state state;
    pthread_t thread;
    struct download *next;
};

/* Starts the thread; an error number, or 0. */
int download_start(struct download *download);

/* Waits for the end of the thread. */
void download_join(struct download *download);

#endif
