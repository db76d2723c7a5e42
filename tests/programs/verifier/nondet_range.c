// args: --property assertions
// expect: SAFE
// An input restricted by an assumption.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0 && x < 100);
    assert(2 * x < 200 && x * x >= x);
    return 0;
}
