// args: --property assertions
// expect: SAFE
// Loops with break and continue.
#include <assert.h>

int main(void) {
    int n = 0, i = 0;
    do {
        if (++i % 2)
            continue;
        n += i;
        if (i > 5)
            break;
    } while (i < 8);
    assert(i == 6 && n == 12);
    return 0;
}
