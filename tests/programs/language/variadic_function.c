// args: --property assertions
// expect: SAFE
// A function with a variable number of arguments.
#include <assert.h>
#include <stdarg.h>

static long sum(int n, ...) {
    long s = 0;
    va_list args;
    va_start(args, n);
    for (int i = 0; i < n; i++)
        s += va_arg(args, int);
    va_end(args);
    return s;
}

int main(void) {
    assert(sum(0) == 0 && sum(3, 1, 20, 300) == 321);
    return 0;
}
