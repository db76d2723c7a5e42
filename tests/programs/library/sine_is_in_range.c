// args: --property assertions
// expect: UNSAFE assertions
// Of a function that needs an approximation only the range is known.
#include <assert.h>
#include <math.h>

int main(void) {
    double s = sin(0.5), e = exp(-1);
    assert(s >= -1 && s <= 1 && e >= 0 && e <= 1);
    assert(s != 0.25); //~ assertions
    return 0;
}
