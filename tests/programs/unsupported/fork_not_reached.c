// args: --property assertions
// expect: SAFE
// What is not reached does no harm.
#include <assert.h>
#include <unistd.h>

int x;

int main(void) {
    if (x)
        fork();
    assert(x == 0);
    return 0;
}
