// args: --property assertions
// expect: SAFE
// Arrays of arrays, and pointers to rows.
#include <assert.h>

int main(void) {
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}}, (*row)[3] = m, t = 0;
    for (int j = 0; j < 3; j++)
        t = t * 10 + row[1][j] - row[0][j];
    assert(t == 333 && *(*(m + 1) + 2) == 6);
    return 0;
}
