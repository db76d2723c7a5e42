// The same with a copy, and a list that is passed on to asprintf.
// args: --property memory,assertions
// expect: SAFE
#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int print(char *to, size_t size, const char *format, ...) {
    va_list list, again;
    char *whole;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(to, size, format, list);
    if (vasprintf(&whole, format, again) == length) {
        assert(strcmp(whole, to) == 0);
        free(whole);
    }
    va_end(again);
    va_end(list);
    return length;
}

int main(void) {
    char text[8];
    assert(print(text, sizeof text, "%d%s", 5, "a") == 2);
    return 0;
}
