#include "download.h"

#include <stdlib.h>
#include <unistd.h>

#include "manager.h"

enum { BUFFER_SIZE = 4, MOST_READS = 2 };

static void close_all(void *argument) {
    struct download *download = argument;
    free(download->buffer);
    download->buffer = NULL;
    if (download->file != NULL)
        fclose(download->file);
    download->file = NULL;
    close(download->source);
}

#ifndef BUG
static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
#endif

/* Adds to the figures of the manager, which may have to wait until the rate is low enough. */
static void account(struct download *download, unsigned long bytes) {
    struct manager *manager = download->manager;
    pthread_mutex_lock(&manager->lock);
#ifndef BUG
    /* The wait is a cancellation point, and holds the lock when it is cancelled. */
    pthread_cleanup_push(unlock, &manager->lock);
#endif
    while (manager->in_flight + bytes > manager->most_in_flight)
        pthread_cond_wait(&manager->drained, &manager->lock);
    manager->in_flight += bytes;
    download->bytes += bytes;
#ifndef BUG
    pthread_cleanup_pop(1);
#else
    pthread_mutex_unlock(&manager->lock);
#endif
}

static void written(struct manager *manager, unsigned long bytes) {
    pthread_mutex_lock(&manager->lock);
    manager->in_flight -= bytes;
    pthread_cond_broadcast(&manager->drained);
    pthread_mutex_unlock(&manager->lock);
}

/* What was counted and not written yet when the thread is cancelled. */
struct counted {
    struct manager *manager;
    unsigned long bytes;
};

static void give_back(void *argument) {
    struct counted *counted = argument;
    written(counted->manager, counted->bytes);
}

static enum download_state transfer(struct download *download) {
    for (int i = 0; i < MOST_READS; i++) {
        ssize_t got = read(download->source, download->buffer, BUFFER_SIZE);
        if (got < 0)
            return DOWNLOAD_FAILED;
        if (got == 0)
            return DOWNLOAD_DONE;
        account(download, (unsigned long)got);
        struct counted counted = {download->manager, (unsigned long)got};
        pthread_cleanup_push(give_back, &counted);
        fwrite(download->buffer, 1, (size_t)got, download->file);
        pthread_testcancel();
        pthread_cleanup_pop(1);
    }
    return DOWNLOAD_DONE;
}

static void *run(void *argument) {
    struct download *download = argument;
    enum download_state state = DOWNLOAD_FAILED;
    pthread_cleanup_push(close_all, download);
    if (download->file != NULL && download->buffer != NULL)
        state = transfer(download);
    pthread_cleanup_pop(1);
    manager_finished(download->manager, download, state);
    return NULL;
}

int download_start(struct download *download) {
    return pthread_create(&download->thread, NULL, run, download);
}

void download_join(struct download *download) {
    void *result;
    pthread_join(download->thread, &result);
    if (result == PTHREAD_CANCELED)
        download->state = DOWNLOAD_CANCELLED;
}
