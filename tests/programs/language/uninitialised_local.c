// args: --property assertions
// expect: UNSAFE assertions
// expect explore: BOUNDED (tries some values only)
// A local variable has no value before it is written.
#include <assert.h>

int main(void) {
    int x;
    int *p = &x;
    assert(*p != 17); //~ assertions
    return 0;
}
