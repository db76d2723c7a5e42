// args: --property assertions
// expect: SAFE
// The bits of results: signed zeros, subnormal numbers, infinities, and what becomes of NaNs.
#include <assert.h>
#include <string.h>

static unsigned long long bits(double x) {
    unsigned long long r;
    memcpy(&r, &x, sizeof r);
    return r;
}

static double from(unsigned long long b) {
    double r;
    memcpy(&r, &b, sizeof r);
    return r;
}

static unsigned single_bits(float x) {
    unsigned r;
    memcpy(&r, &x, sizeof r);
    return r;
}

volatile double zero = 0.0, one = 1.0, tiny = 5e-324, huge = 1.7976931348623157e308;

int main(void) {
    assert(bits(zero * -one) == 1ull << 63 && zero == -zero);
    assert(bits(one - one) == 0 && bits(-zero - zero) == 1ull << 63);
    assert(bits(tiny + tiny) == 2 && bits(tiny / 2) == 0 && bits(tiny * 0.75) == 1);
    assert(bits(huge + huge) == 0x7ffull << 52 && bits(one / -zero) == 0xfffull << 52);
    assert(bits(2.2250738585072014e-308 - tiny) == (1ull << 52) - 1);
    assert(single_bits((float)1e-45) == 1 && single_bits((float)1e39) == 0xffu << 23);
    assert(single_bits((float)from(0x3ff0000010000000)) == 0x3f800000);
    assert(single_bits((float)from(0x3ff0000030000000)) == 0x3f800002);
    double nan = from(0xfff0000000000005);
    assert(nan != nan && bits(nan + one) == 0xfff8000000000005 && bits(one - nan) == bits(nan + one));
    assert(bits(zero / zero) == 0x7ff8ull << 48);
    return 0;
}
