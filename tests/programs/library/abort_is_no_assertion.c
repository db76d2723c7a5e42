// args: --property assertions
// expect: SAFE
// abort ends the program without a violation.
#include <assert.h>
#include <stdlib.h>

int x = 1;

int main(void) {
    if (x)
        abort();
    assert(x);
    return 0;
}
