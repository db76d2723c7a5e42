// args: --property assertions
// expect: SAFE
// A failed exchange stores what it found.
#include <assert.h>
#include <stdatomic.h>

atomic_int x = 5;

int main(void) {
    int expected = 4;
    _Bool done = atomic_compare_exchange_strong(&x, &expected, 9);
    assert(!done && expected == 5 && x == 5);
    done = atomic_compare_exchange_strong(&x, &expected, 9);
    assert(done && expected == 5 && x == 9);
    return 0;
}
