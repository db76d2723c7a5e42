// args: --property assertions
// expect: SAFE
// If overflow is not checked, it wraps.
#include <assert.h>
#include <limits.h>

int x = INT_MAX;

int main(void) {
    x = x + 1;
    assert(x == INT_MIN);
    return 0;
}
