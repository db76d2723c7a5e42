// A `0` among the variable arguments is an int. In a register of x86-64 it is read as a null pointer; on the stack
// the upper half of what is read is arbitrary.
// args: --property assertions,memory
// expect: UNSAFE memory
// expect staged: UNKNOWN (an address with arbitrary bits)
#include <assert.h>
#include <stdarg.h>

static int count(const char *first, ...) {
    va_list list;
    int number = 0;
    va_start(list, first);
    for (const char *word = first; word; word = va_arg(list, const char *)) {
        assert(number < 7);
        number += *word == 'w'; //~ memory
    }
    va_end(list);
    return number;
}

int main(void) {
    assert(count("w", "w", 0) == 2);
    assert(count("w", "w", "w", "w", "w", 0) == 5);
    return count("w", "w", "w", "w", "w", "w", 0);
}
