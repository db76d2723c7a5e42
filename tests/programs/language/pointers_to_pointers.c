// args: --property assertions
// expect: SAFE
// Indirection, pointer arithmetic and differences.
#include <assert.h>

static void advance(const char **s) { *s += 2; }

int main(void) {
    const char *s = "abcdef", *start = s;
    int a[4] = {1, 2, 3, 4}, *p = a + 3, **pp = &p;
    advance(&s);
    assert(*s == 'c' && s - start == 2);
    --*pp;
    assert(*p == 3 && p[-1] == 2 && p - a == 2 && &a[4] > p);
    return 0;
}
