// args: --property assertions
// expect: SAFE
// Arrays decay to pointers; the callee writes the caller's array.
#include <assert.h>

static void reverse(int n, int a[n]) {
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int x = a[i];
        a[i] = a[j];
        a[j] = x;
    }
}

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    reverse(5, a);
    assert(a[0] == 5 && a[1] == 4 && a[2] == 3 && a[4] == 1);
    return 0;
}
