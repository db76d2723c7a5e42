// args: --property assertions
// expect: SAFE
// A spurious failure writes nothing, and what was found is what was expected.
#include <assert.h>
#include <stdatomic.h>

atomic_int x;

int main(void) {
    int expected = 0;
    if (atomic_compare_exchange_weak_explicit(&x, &expected, 1, memory_order_acq_rel, memory_order_relaxed))
        assert(x == 1);
    else
        assert(x == 0);
    assert(expected == 0);
    return 0;
}
