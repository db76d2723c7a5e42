// args: --property assertions
// expect: UNSAFE assertions
// expect explore: BOUNDED (tries some values only)
// One value out of four thousand million violates the assertion.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    assert(x * 3 + 1 != 0x1234567u); //~ assertions
    return 0;
}
