// expect: UNSAFE assertions
// expect explore: BOUNDED (it tries a few characters only)
// Without arguments the program prints how it is used and ends; with one it goes wrong.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2) {
        printf("usage: %s NUMBER\n", argv[0]);
        return 1;
    }
    assert(atoi(argv[1]) != 7); //~ assertions
    return 0;
}
