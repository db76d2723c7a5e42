// args: --property assertions
// expect: SAFE
// 128-bit integers where there are any.
#include <assert.h>

int main(void) {
#ifdef __SIZEOF_INT128__
    unsigned __int128 x = (unsigned __int128)~0ull * ~0ull;
    assert((unsigned long long)x == 1 && (unsigned long long)(x >> 64) == ~0ull - 1);
#endif
    assert(1);
    return 0;
}
