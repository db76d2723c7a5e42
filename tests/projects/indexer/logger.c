#define _GNU_SOURCE
#include "logger.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <time.h>

struct message {
    STAILQ_ENTRY(message) next;
    enum level level;
    struct timespec when;
    char *text;
};

STAILQ_HEAD(message_list, message);

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct message_list messages;
    unsigned dropped;
    bool stopping;
    enum level least;
    FILE *stream;
    pthread_t thread;
} logger = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const names[] = {"debug", "info", "error"};

static void print(const struct message *message) {
    struct tm parts;
    char when[32];
    localtime_r(&message->when.tv_sec, &parts);
    strftime(when, sizeof when, "%F %T", &parts);
    fprintf(logger.stream, "%s.%03ld %-5s %s\n", when, message->when.tv_nsec / 1000000,
            names[message->level], message->text);
}

static void *run(void *unused) {
    (void)unused;
    struct message_list batch;
    for (;;) {
        STAILQ_INIT(&batch);
        pthread_mutex_lock(&logger.lock);
        while (STAILQ_EMPTY(&logger.messages) && !logger.stopping)
            pthread_cond_wait(&logger.work, &logger.lock);
        STAILQ_CONCAT(&batch, &logger.messages);
        bool last = logger.stopping;
        pthread_mutex_unlock(&logger.lock);

        struct message *message;
        while ((message = STAILQ_FIRST(&batch)) != NULL) {
            STAILQ_REMOVE_HEAD(&batch, next);
            print(message);
            free(message->text);
            free(message);
        }
        if (last)
            return NULL;
    }
}

int logger_start(const char *path, enum level least) {
    STAILQ_INIT(&logger.messages);
    logger.least = least;
    logger.stream = path != NULL ? fopen(path, "ae") : stderr;
    if (logger.stream == NULL)
        return errno;
    int error = pthread_cond_init(&logger.work, NULL);
    if (error == 0)
        error = pthread_create(&logger.thread, NULL, run, NULL);
    return error;
}

void logger_stop(void) {
    pthread_mutex_lock(&logger.lock);
    logger.stopping = true;
    pthread_cond_signal(&logger.work);
    pthread_mutex_unlock(&logger.lock);
    pthread_join(logger.thread, NULL);
    pthread_cond_destroy(&logger.work);
    if (logger.dropped > 0)
        fprintf(logger.stream, "%u messages dropped\n", logger.dropped);
    if (logger.stream != stderr)
        fclose(logger.stream);
}

void logger_write(enum level level, const char *file, int line, const char *format, ...) {
    if (level < logger.least)
        return;
    struct message *message = malloc(sizeof *message);
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = message != NULL ? vasprintf(&text, format, arguments) : -1;
    va_end(arguments);
    if (length >= 0 && level == LOG_LEVEL_ERROR) {
        char *full;
        if (asprintf(&full, "%s (%s:%d)", text, file, line) >= 0) {
            free(text);
            text = full;
        }
    }
    if (length < 0)
        text = NULL;
    pthread_mutex_lock(&logger.lock);
    if (text == NULL) {
        logger.dropped++;
        free(message);
    } else {
        message->level = level;
        message->text = text;
        clock_gettime(CLOCK_REALTIME, &message->when);
        STAILQ_INSERT_TAIL(&logger.messages, message, next);
        pthread_cond_signal(&logger.work);
    }
    pthread_mutex_unlock(&logger.lock);
}
