// args: --property assertions
// expect: UNSAFE assertions
// Nobody knows what rand returns.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    assert(rand() != 0); //~ assertions
    return 0;
}
