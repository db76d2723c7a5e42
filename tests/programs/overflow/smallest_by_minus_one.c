// args: --property overflow
// expect: UNSAFE overflow
// INT_MIN / -1 does not fit.
#include <limits.h>

int x = INT_MIN, y = -1;

int main(void) {
    return x / y != 0; //~ overflow
}
