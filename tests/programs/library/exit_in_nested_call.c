// args: --property assertions
// expect: SAFE
// Nothing after exit is executed.
#include <assert.h>
#include <stdlib.h>

static void leave(int code) { exit(code); }

int main(void) {
    leave(1);
    assert(0);
    return 0;
}
