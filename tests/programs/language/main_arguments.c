// args: --property assertions
// expect: SAFE
// The program may have any arguments, but at least the array ends with null.
#include <assert.h>

int main(int argc, char **argv) {
    (void)argv;
    int n = argc > 3 ? 3 : argc;
    assert(n <= 3);
    return 0;
}
