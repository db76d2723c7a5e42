// args: --property assertions
// expect: SAFE
// Extensions: statement expressions, typeof, __builtin functions.
#include <assert.h>

#define MAX(a, b)                                                                                  \
    ({                                                                                             \
        __typeof__(a) x_ = (a);                                                                    \
        __typeof__(b) y_ = (b);                                                                    \
        x_ > y_ ? x_ : y_;                                                                         \
    })

int main(void) {
    int i = 3;
    assert(MAX(i++, 2) == 3 && i == 4);
    assert(__builtin_popcount(0xffu) == 8 && __builtin_ctz(8) == 3 && __builtin_clz(1) == 31);
    assert(__builtin_expect(i, 1) == 4 && __builtin_bswap32(0x01020304u) == 0x04030201u);
    return 0;
}
