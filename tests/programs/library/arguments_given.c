// args: --args one -2 three
// expect: SAFE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    assert(argc == 4);
    assert(strcmp(argv[1], "one") == 0 && strcmp(argv[3], "three") == 0);
    assert(atoi(argv[2]) == -2);
    assert(argv[4] == 0);
    return 0;
}
