// args: --property assertions
// expect: SAFE
// Loops of constant bounds, nested.
#include <assert.h>

int main(void) {
    int n = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            n += i == j ? 10 : 1;
    assert(n == 46);
    return 0;
}
