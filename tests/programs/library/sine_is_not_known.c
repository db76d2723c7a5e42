// args: --property assertions
// expect: UNKNOWN
// Of a function that needs an approximation only what the standard demands exactly is known.
#include <assert.h>
#include <math.h>

int main(void) {
    assert(cos(0) == 1 && exp(0) == 1);
    assert(sin(0.5) != 0.25);
    return 0;
}
