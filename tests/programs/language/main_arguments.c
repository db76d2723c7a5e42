// args: --property assertions
// expect: BOUNDED
// The program may have any arguments up to a bound, and the array ends with null.
#include <assert.h>

int main(int argc, char **argv) {
    int n = argc > 3 ? 3 : argc;
    assert(n >= 1 && n <= 3);
    assert(argv[argc] == 0);
    return 0;
}
