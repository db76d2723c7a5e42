// args: --property assertions
// expect: SAFE
// Shifts, rotations, masks.
#include <assert.h>

static unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }

static int count_bits(unsigned x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

int main(void) {
    assert(rotate(0x80000001u, 4) == 0x18u);
    assert(count_bits(0xf0f1u) == 9);
    assert((-16 >> 2) == -4 && (0xffu ^ 0x0f) == 0xf0 && ~0 == -1);
    return 0;
}
