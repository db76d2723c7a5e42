// args: --property assertions
// args explore: --inputs 0,1
// expect: UNSAFE assertions
// A format can write: how many characters came before.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void) {
    int count = -1, other = -1;
    signed char small = -1;
    printf("%c: %s%n, %hhn\n", 'c', "text", &count, &small);
    assert(count == 7);
    assert(small == 9);
    report("%d%n", 7, &other);
    assert(other >= 0);
    other = -1;
    report("%d%n", 7, &other);
    assert(other == -1); //~ assertions
    return 0;
}
