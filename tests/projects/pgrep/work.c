#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void work_init(struct work *work) {
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->changed, NULL);
    work->files = NULL;
    work->complete = false;
}

void work_destroy(struct work *work) {
    while (work->files != NULL) {
        struct file *file = work->files;
        work->files = file->next;
        file_free(file);
    }
    pthread_cond_destroy(&work->changed);
    pthread_mutex_destroy(&work->lock);
}

bool work_add(struct work *work, const char *folder, const char *name) {
    struct file *file = malloc(sizeof *file);
    if (file == NULL)
        return false;
    size_t length = strlen(folder) + 1 + strlen(name) + 1;
    file->name = malloc(length);
    if (file->name == NULL) {
        free(file);
        return false;
    }
    snprintf(file->name, length, "%s/%s", folder, name);
    pthread_mutex_lock(&work->lock);
    file->next = work->files;
    work->files = file;
    pthread_cond_signal(&work->changed);
    pthread_mutex_unlock(&work->lock);
    return true;
}

void work_complete(struct work *work) {
    pthread_mutex_lock(&work->lock);
    work->complete = true;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
}

struct file *work_take(struct work *work) {
    pthread_mutex_lock(&work->lock);
    while (work->files == NULL && !work->complete)
        pthread_cond_wait(&work->changed, &work->lock);
    struct file *file = work->files;
    if (file != NULL)
        work->files = file->next;
    pthread_mutex_unlock(&work->lock);
    return file;
}

void file_free(struct file *file) {
    free(file->name);
    free(file);
}
