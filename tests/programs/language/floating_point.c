// args: --property assertions
// expect: SAFE
// Arithmetic, comparison and conversion of float and double.
#include <assert.h>

int main(void) {
    double a = 0.1, b = 0.2, third = 1.0 / 3;
    float f = 16777216.0f;
    assert(a + b != 0.3 && a + b > 0.3);
    assert(third * 3 == 1.0);
    assert(f + 1 == f);
    assert((int)2.9 == 2 && (int)-2.9 == -2 && (unsigned char)200.5 == 200);
    assert((double)(1ll << 53) == (double)((1ll << 53) + 1));
    double infinite = 1e308 * 10, nothing = infinite - infinite;
    assert(infinite > 1e308 && nothing != nothing && !(nothing < 1));
    return 0;
}
