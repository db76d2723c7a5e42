// args: --property assertions
// expect: UNSAFE assertions
// Functions registered with atexit run at the end, the last one first.
#include <assert.h>
#include <stdlib.h>

int x = 1;

void twice(void) { x *= 2; }
void look(void) { assert(x == 3); } //~ assertions
void increment(void) { x += 1; }

int main(void) {
    atexit(look);
    atexit(twice);
    atexit(increment);
    return 0;
}
