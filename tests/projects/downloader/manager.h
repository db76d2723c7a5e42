/* All downloads, and how many bytes may be on their way to the disk. */
#ifndef MANAGER_H
#define MANAGER_H

#include "download.h"

struct manager {
    pthread_mutex_t lock;
    pthread_cond_t drained;
    unsigned long in_flight, most_in_flight;
    struct download *downloads;
    unsigned count, finished, failed;
};

void manager_init(struct manager *manager, unsigned long most_in_flight);

/* Starts a download from a socket; NULL if that fails. */
struct download *manager_add(struct manager *manager, int source, const char *path);

/* Called by the download's own thread. */
void manager_finished(struct manager *manager, struct download *download,
                      enum download_state state);

void manager_cancel(struct download *download);

/* Waits for all downloads and frees them. */
void manager_destroy(struct manager *manager);

#endif
