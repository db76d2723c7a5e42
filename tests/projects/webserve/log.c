#include "log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *stream;

#define LOCKED(statement)                                                                          \
    do {                                                                                           \
        pthread_mutex_lock(&lock);                                                                 \
        statement;                                                                                 \
        pthread_mutex_unlock(&lock);                                                               \
    } while (0)

bool log_open(const char *path) {
    if (path == NULL) {
        stream = stdout;
        return true;
    }
    stream = fopen(path, "a");
    if (stream == NULL)
        return false;
    setvbuf(stream, NULL, _IOLBF, 0);
    return true;
}

void log_close(void) {
    if (stream != NULL && stream != stdout)
        fclose(stream);
    stream = NULL;
}

/* Text of the time now, in the buffer. */
static const char *now(char *buffer, size_t size) {
    time_t seconds = time(NULL);
    struct tm parts;
    if (localtime_r(&seconds, &parts) == NULL || strftime(buffer, size, "%d/%b/%Y:%H:%M:%S %z", &parts) == 0)
        return "-";
    return buffer;
}

void log_request(const char *peer, const char *method, const char *path, int status, size_t bytes) {
    char when[64];
    const char *text = now(when, sizeof when);
    LOCKED(fprintf(stream, "%s - - [%s] \"%s %s\" %d %zu\n", peer, text, method, path, status, bytes));
}

void log_message(const char *format, ...) {
    char when[64];
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&lock);
    fprintf(stream, "[%s] ", now(when, sizeof when));
    vfprintf(stream, format, arguments);
    fputc('\n', stream);
    fflush(stream);
    pthread_mutex_unlock(&lock);
    va_end(arguments);
}
