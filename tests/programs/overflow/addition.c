// args: --property overflow
// expect: UNSAFE overflow
// The largest int plus one.
#include <limits.h>

int x = INT_MAX;

int main(void) {
    x = x + 1; //~ overflow
    return 0;
}
