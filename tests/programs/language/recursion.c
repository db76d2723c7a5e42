// args: --property assertions
// expect: SAFE
// Recursion, mutual recursion, and a deep chain of frames.
#include <assert.h>

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
    assert(fibonacci(7) == 13);
    assert(is_even(10) && !is_even(7));
    return 0;
}
