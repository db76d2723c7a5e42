// args: --property assertions
// expect: SAFE
// Bit-fields wrap and extend their sign.
#include <assert.h>

struct flags {
    unsigned a : 3;
    signed b : 3;
    unsigned c : 10;
};

int main(void) {
    struct flags f = {7, -4, 1023};
    f.a++;
    assert(f.a == 0 && f.b == -4 && f.c == 1023);
    f.b = 3;
    f.c -= 24;
    assert(f.a == 0 && f.b == 3 && f.c == 999);
    return 0;
}
