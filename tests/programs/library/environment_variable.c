// args: --property assertions
// expect: UNSAFE assertions
// A variable of the environment may be missing, or set to nothing.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    const char *level = getenv("LEVEL");
    if (level)
        assert(level[0] != 0); //~ assertions
    return 0;
}
