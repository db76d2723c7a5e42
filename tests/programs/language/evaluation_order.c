// args: --property assertions
// expect: SAFE
// Short circuits, commas, conditionals, assignments as values.
#include <assert.h>

int main(void) {
    int a = 0, b = 0, c;
    if (a && ++b)
        c = 1;
    else
        c = 2;
    assert(b == 0 && c == 2);
    if (a == 0 || ++b)
        c = (a = 5, a + 1);
    assert(b == 0 && c == 6 && a == 5);
    a = b = c > 3 ? 7 : 8;
    assert(a == 7 && b == 7);
    return 0;
}
