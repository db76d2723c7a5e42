// args: --property assertions
// expect: SAFE
// __atomic builtins of all kinds, and what they return.
#include <assert.h>

int main(void) {
    int x = 6, expected = 6, other = 20, got;
    assert(__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST) == 6);
    assert(__atomic_sub_fetch(&x, 2, __ATOMIC_SEQ_CST) == 5);
    assert(__atomic_fetch_and(&x, 4, __ATOMIC_SEQ_CST) == 5);
    assert(__atomic_or_fetch(&x, 3, __ATOMIC_SEQ_CST) == 7);
    assert(__atomic_fetch_nand(&x, 5, __ATOMIC_SEQ_CST) == 7);
    assert(x == ~5);
    assert(!__atomic_compare_exchange_n(&x, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(expected == ~5);
    __atomic_exchange(&x, &other, &got, __ATOMIC_SEQ_CST);
    assert(got == ~5 && x == 20);
    __atomic_load(&x, &got, __ATOMIC_SEQ_CST);
    assert(got == 20);
    return 0;
}
