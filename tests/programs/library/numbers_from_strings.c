// args: --property assertions
// expect: SAFE
// atoi and strtol.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *end;
    assert(atoi(" -42x") == -42);
    assert(strtol("0x1fg", &end, 0) == 31 && *end == 'g');
    assert(strtol("777", 0, 8) == 511 && abs(-5) == 5);
    return 0;
}
