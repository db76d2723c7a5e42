// args: --property assertions --property memory
// expect: SAFE
// memcpy, memmove, memset, memcmp, memchr.
#include <assert.h>
#include <string.h>

int main(void) {
    char a[12] = "abcdefghij", b[12];
    int n = 11;
    memcpy(b, a, n);
    assert(memcmp(a, b, n) == 0);
    memmove(b + 2, b, 9);
    assert(memcmp(b, "ababcdefghi", 11) == 0);
    memmove(b, b + 2, 9);
    assert(memcmp(b, "abcdefghi", 9) == 0);
    memset(a, 'x', n - 1);
    assert(a[0] == 'x' && a[9] == 'x' && a[10] == 0);
    assert(memchr(b, 'c', n) == b + 2 && memchr(b, 'z', 3) == 0);
    assert(memcmp("ab", "aB", 2) > 0);
    return 0;
}
