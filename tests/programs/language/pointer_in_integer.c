// args: --property assertions --property memory
// expect: SAFE
// A pointer survives the way through an integer, with a tag in its low bit.
#include <assert.h>
#include <stdint.h>

int main(void) {
    static int x = 7;
    uintptr_t tagged = (uintptr_t)&x | 1;
    assert(tagged & 1);
    int *p = (int *)(tagged & ~(uintptr_t)1);
    assert(*p == 7);
    return 0;
}
