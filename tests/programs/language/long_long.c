// args: --property assertions
// expect: SAFE
// 64-bit arithmetic, also on machines with 32-bit words.
#include <assert.h>

int main(void) {
    unsigned long long a = 0xfedcba9876543210ull;
    long long b = -0x123456789abll;
    assert(a / 10 == 1836475854449306472ull && a % 10 == 0);
    assert(a % 1000000007 == a - a / 1000000007 * 1000000007);
    assert((a >> 36) == 0xfedcba9ull && (unsigned)(a << 4) == 0x65432100u);
    assert(b / 1000 * 1000 + b % 1000 == b && b % 1000 < 0 && (b >> 63) == -1);
    assert(a * 3 == a + a + a);
    return 0;
}
