/* The list of files that are still to be searched. */
#ifndef WORK_H
#define WORK_H

#include <pthread.h>
#include <stdbool.h>

struct file {
    char *name;
    struct file *next;
};

struct work {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct file *files;
    bool complete; /* no more files will come */
};

void work_init(struct work *work);
void work_destroy(struct work *work);
bool work_add(struct work *work, const char *folder, const char *name);
void work_complete(struct work *work);

/* Waits for a file; NULL when there is none left. The caller frees it with file_free. */
struct file *work_take(struct work *work);
void file_free(struct file *file);

#endif
