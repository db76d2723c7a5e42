#include "work.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "logger.h"

struct item {
    struct item *next;
    bool folder;
    char path[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct item *first, **last = &first;
static unsigned busy;
static bool abandoned;

void work_add(const char *path, bool folder) {
    size_t size = strlen(path) + 1;
    struct item *item = malloc(sizeof *item + size);
    if (item == NULL) {
        LOG(ERROR, "no memory for %s", path);
        return;
    }
    item->next = NULL;
    item->folder = folder;
    memcpy(item->path, path, size);
    pthread_mutex_lock(&lock);
    *last = item;
    last = &item->next;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

struct item *work_next(void) {
    struct item *item = NULL;
    pthread_mutex_lock(&lock);
    while (first == NULL && busy > 0 && !abandoned)
        pthread_cond_wait(&changed, &lock);
    if (first != NULL && !abandoned) {
        item = first;
        first = item->next;
        if (first == NULL)
            last = &first;
        busy++;
    }
    pthread_mutex_unlock(&lock);
    return item;
}

const char *item_path(const struct item *item) { return item->path; }
bool item_is_folder(const struct item *item) { return item->folder; }

void work_done(struct item *item) {
    free(item);
    pthread_mutex_lock(&lock);
    busy--;
    if (busy == 0)
#ifdef BUG
        pthread_cond_signal(&changed);
#else
        pthread_cond_broadcast(&changed);
#endif
    pthread_mutex_unlock(&lock);
}

void work_abandon(void) {
    pthread_mutex_lock(&lock);
    abandoned = true;
    while (first != NULL) {
        struct item *item = first;
        first = item->next;
        free(item);
    }
    last = &first;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
