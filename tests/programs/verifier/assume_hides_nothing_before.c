// args: --property assertions
// expect: UNSAFE assertions
// A violation counts although an assumption fails later on every path.
#include <assert.h>

extern void __VERIFIER_assume(int);

int x;

int main(void) {
    assert(x); //~ assertions
    __VERIFIER_assume(x);
    return 0;
}
