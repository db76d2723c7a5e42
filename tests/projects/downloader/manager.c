#include "manager.h"

#include <assert.h>
#include <stdlib.h>

void manager_init(struct manager *manager, unsigned long most_in_flight) {
    pthread_mutex_init(&manager->lock, NULL);
    pthread_cond_init(&manager->drained, NULL);
    manager->in_flight = 0;
    manager->most_in_flight = most_in_flight;
    manager->downloads = NULL;
    manager->count = manager->finished = manager->failed = 0;
}

struct download *manager_add(struct manager *manager, int source, const char *path) {
    struct download *download = calloc(1, sizeof *download);
    if (download == NULL)
        return NULL;
    download->manager = manager;
    download->source = source;
    download->number = manager->count;
    download->file = fopen(path, "w");
    download->buffer = malloc(4);
    if (download_start(download) != 0) {
        if (download->file != NULL)
            fclose(download->file);
        free(download->buffer);
        free(download);
        return NULL;
    }
    download->next = manager->downloads;
    manager->downloads = download;
    manager->count++;
    return download;
}

void manager_finished(struct manager *manager, struct download *download,
                      enum download_state state) {
    pthread_mutex_lock(&manager->lock);
    download->state = state;
    manager->finished++;
    if (state == DOWNLOAD_FAILED)
        manager->failed++;
    pthread_mutex_unlock(&manager->lock);
}

void manager_cancel(struct download *download) { pthread_cancel(download->thread); }

void manager_destroy(struct manager *manager) {
    while (manager->downloads != NULL) {
        struct download *download = manager->downloads;
        manager->downloads = download->next;
        download_join(download);
        free(download);
    }
    assert(manager->in_flight == 0);
    pthread_cond_destroy(&manager->drained);
    pthread_mutex_destroy(&manager->lock);
}
