// args: --property assertions
// expect: SAFE
// Functions whose results are exact.
#include <assert.h>
#include <math.h>

int main(void) {
    int power;
    double whole;
    assert(sqrt(2.25) == 1.5 && sqrtf(16) == 4);
    assert(fmod(7.5, -2) == 1.5 && fmod(-7, 7) == 0);
    assert(frexp(12, &power) == 0.75 && power == 4 && ldexp(0.75, 4) == 12);
    assert(modf(-3.5, &whole) == -0.5 && whole == -3);
    assert(lround(2.5) == 3 && lrint(2.5) == 2 && fdim(3, 5) == 0);
    assert(cos(0) == 1 && pow(5, 0) == 1);
    return 0;
}
