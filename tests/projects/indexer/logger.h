#ifndef LOGGER_H
#define LOGGER_H

#include <stdbool.h>

/* A thread that writes messages, so that nobody waits for the disk. */
enum level { LOG_LEVEL_DEBUG, LOG_LEVEL_INFO, LOG_LEVEL_ERROR };

int logger_start(const char *path, enum level least);
void logger_stop(void);
void logger_write(enum level level, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define LOG(level, ...) logger_write(LOG_LEVEL_##level, __FILE__, __LINE__, __VA_ARGS__)

#endif
