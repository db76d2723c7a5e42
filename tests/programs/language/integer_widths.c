// args: --property assertions
// expect: SAFE
// Promotion, truncation, sign extension, unsigned wrap-around.
#include <assert.h>

int main(void) {
    unsigned char c = 250;
    signed char s = (signed char)200;
    unsigned short h = 65535;
    c += 10;
    h++;
    assert(c == 4 && s == -56 && h == 0);
    assert((unsigned)-1 > 0 && -1 < (signed char)1);
    unsigned u = 3;
    assert(u - 4 == 4294967295u && (long long)(u - 4) == 4294967295ll);
    assert((-7) / 2 == -3 && (-7) % 2 == -1 && 7u % 4 == 3);
    assert((short)0x18000 == (short)0x8000 && (char)0x141 == 'A');
    return 0;
}
