// args: --property assertions
// expect: SAFE
// Tables of functions, callbacks, functions that return functions.
#include <assert.h>

typedef int (*op)(int, int);

static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }

static op choose(char c) { return c == '+' ? plus : minus; }
static int fold(op f, const int *a, int n) {
    int r = a[0];
    for (int i = 1; i < n; i++)
        r = f(r, a[i]);
    return r;
}

int main(void) {
    const int a[] = {10, 3, 2};
    op table[2] = {choose('+'), choose('-')};
    assert(fold(table[0], a, 3) == 15);
    assert(fold(table[1], a, 3) == 5);
    assert(choose('-') == minus);
    return 0;
}
