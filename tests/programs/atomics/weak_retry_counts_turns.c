// args: --property assertions
// expect: UNSAFE assertions
// A loop that counts its turns notices a spurious failure: no iteration of it is pure.
#include <assert.h>
#include <stdatomic.h>

atomic_int x;

int main(void) {
    int turns = 0, expected = 0;
    while (turns < 3 && !atomic_compare_exchange_weak(&x, &expected, 1))
        turns++;
    assert(x == 1); //~ assertions
    return 0;
}
