/* Messages of err.h and error.h: err and errx end the program, warn and warnx do not; error does with a status.
 * left out: what they print; arguments that are not plain (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

typedef __builtin_va_list va_list;

void __raddle_read_format(const char *format, va_list list);
void exit(int status) __attribute__((noreturn));

#define READ(format)                                                                               \
    va_list list;                                                                                  \
    __builtin_va_start(list, format);                                                              \
    if (format)                                                                                    \
        __raddle_read_format(format, list);                                                        \
    __builtin_va_end(list)

void warn(const char *format, ...) { READ(format); }
void warnx(const char *format, ...) { READ(format); }

void vwarn(const char *format, va_list list) {
    if (format)
        __raddle_read_format(format, list);
}
void vwarnx(const char *format, va_list list) { vwarn(format, list); }

void verr(int status, const char *format, va_list list) {
    vwarn(format, list);
    exit(status);
}
void verrx(int status, const char *format, va_list list) { verr(status, format, list); }

void error(int status, int number, const char *format, ...) {
    READ(format);
    if (status)
        exit(status);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    if (file)
        read_text(file);
    READ(format);
    if (status)
        exit(status);
}

void err(int status, const char *format, ...) {
    READ(format);
    exit(status);
}

void errx(int status, const char *format, ...) {
    READ(format);
    exit(status);
}
