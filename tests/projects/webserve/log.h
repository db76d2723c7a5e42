#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stddef.h>

/* Opens the access log; standard output if there is no path. */
bool log_open(const char *path);
void log_close(void);
void log_request(const char *peer, const char *method, const char *path, int status, size_t bytes);
void log_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
