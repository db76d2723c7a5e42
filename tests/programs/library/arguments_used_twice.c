// A list of arguments is used up by the first function that reads it; the second one needs a copy (va_copy).
// args: --property memory
// expect: UNSAFE memory
#include <stdarg.h>
#include <stdio.h>

static int print(char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    if (length < (int)size)
        vsnprintf(to, size, format, list); //~ memory
    va_end(list);
    return length;
}

int main(void) {
    char text[8];
    return print(text, sizeof text, "%d", 5);
}
