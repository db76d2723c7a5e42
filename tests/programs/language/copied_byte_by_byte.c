// args: --property assertions --property memory
// expect: SAFE
// A pointer that is copied as bytes is still a pointer.
#include <assert.h>

int main(void) {
    int x = 1, *p = &x, *q;
    for (unsigned i = 0; i < sizeof p; i++)
        ((char *)&q)[i] = ((char *)&p)[i];
    *q = 5;
    assert(x == 5);
    return 0;
}
