/* Output into new strings: asprintf.
 * left out: what stdio_format.c leaves out.
 *
 * accesses: visible
 */
#include "raddle.h"

typedef __builtin_va_list va_list;

void *malloc(size_t size);
int vsnprintf(char *to, size_t size, const char *text, va_list list);

int vasprintf(char **to, const char *text, va_list list) {
    va_list again;
    __builtin_va_copy(again, list);
    int length = vsnprintf(NULL, 0, text, again);
    __builtin_va_end(again);
    char *result = malloc((size_t)length + 1);
    if (!result)
        return -1;
    *to = result;
    /* A number that is any row of digits may have more of them this time, which were cut off. */
    int written = vsnprintf(result, (size_t)length + 1, text, list);
    return written < length ? written : length;
}

int asprintf(char **to, const char *text, ...) {
    va_list list;
    __builtin_va_start(list, text);
    int length = vasprintf(to, text, list);
    __builtin_va_end(list);
    return length;
}
