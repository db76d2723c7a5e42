// args: --property assertions
// expect: UNSAFE assertions
// A weak compare-exchange may fail although the values are equal, even with nobody else around.
#include <assert.h>
#include <stdatomic.h>

atomic_int x;

int main(void) {
    int expected = 0;
    _Bool done = atomic_compare_exchange_weak(&x, &expected, 1);
    assert(done); //~ assertions
    return 0;
}
