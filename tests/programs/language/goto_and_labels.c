// args: --property assertions
// expect: SAFE
// Backward and forward jumps, out of nested loops.
#include <assert.h>

int main(void) {
    int i = 0, j, n = 0;
again:
    if (++i < 3)
        goto again;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++) {
            if (i * j == 2)
                goto out;
            n++;
        }
out:
    assert(i == 1 && j == 2 && n == 5);
    return 0;
}
