/* Messages of err.h: err and errx end the program, warn and warnx do not.
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

void err(int status, const char *format, ...) {
    READ(format);
    exit(status);
}

void errx(int status, const char *format, ...) {
    READ(format);
    exit(status);
}
