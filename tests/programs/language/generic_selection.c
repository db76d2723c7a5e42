// args: --property assertions
// expect: SAFE
// _Generic and _Static_assert, _Alignof, offsetof.
#include <assert.h>
#include <stddef.h>

#define KIND(x) _Generic((x), int: 1, double: 2, char *: 3, default: 4)

struct s {
    char c;
    short h;
    int i;
};

_Static_assert(offsetof(struct s, h) == 2, "layout");

int main(void) {
    char *p = "";
    assert(KIND(1) == 1 && KIND(1.0) == 2 && KIND(p) == 3 && KIND(1L) == 4);
    assert(offsetof(struct s, i) == 4 && sizeof(struct s) == 8 && _Alignof(short) == 2);
    return 0;
}
