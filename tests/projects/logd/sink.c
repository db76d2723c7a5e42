#include "sink.h"

static const char *name_of(enum level level) {
    switch (level) {
    case LEVEL_DEBUG:
        return "debug";
    case LEVEL_INFO:
        return "info";
    case LEVEL_ERROR:
        return "error";
    }
    return "?";
}

/* The lock is held. */
static void rotate(struct sink *sink) {
    if (sink->file != NULL)
        fclose(sink->file);
    if (rename(sink->path, "log.old") != 0)
        perror("rename");
    sink->file = fopen(sink->path, "w");
    sink->lines = 0;
    sink->rotations++;
}

void sink_open(struct sink *sink, const char *path, unsigned most_lines) {
    pthread_mutex_init(&sink->lock, NULL);
    sink->path = path;
    sink->file = fopen(path, "a");
    sink->lines = 0;
    sink->most_lines = most_lines;
    sink->rotations = 0;
}

void sink_write(struct sink *sink, const struct record *record) {
#ifdef BUG
    /* The stream locks itself, so nobody thought of the thread that rotates. */
    FILE *file = sink->file;
    if (file != NULL)
        fprintf(file, "%s [%u] %s\n", name_of(record->level), record->source, record->text);
    pthread_mutex_lock(&sink->lock);
#else
    pthread_mutex_lock(&sink->lock);
    if (sink->file != NULL)
        fprintf(sink->file, "%s [%u] %s\n", name_of(record->level), record->source,
                record->text);
#endif
    if (++sink->lines >= sink->most_lines)
        rotate(sink);
    pthread_mutex_unlock(&sink->lock);
}

void sink_rotate(struct sink *sink) {
    pthread_mutex_lock(&sink->lock);
    rotate(sink);
    pthread_mutex_unlock(&sink->lock);
}

void sink_close(struct sink *sink) {
    pthread_mutex_lock(&sink->lock);
    if (sink->file != NULL)
        fclose(sink->file);
    sink->file = NULL;
    pthread_mutex_unlock(&sink->lock);
    pthread_mutex_destroy(&sink->lock);
}
