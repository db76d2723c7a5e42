// args: --property assertions
// expect: SAFE
// A strong compare-exchange of equal values succeeds.
#include <assert.h>
#include <stdatomic.h>

atomic_int x;

int main(void) {
    int expected = 0;
    assert(atomic_compare_exchange_strong(&x, &expected, 1));
    assert(x == 1 && expected == 0);
    return 0;
}
