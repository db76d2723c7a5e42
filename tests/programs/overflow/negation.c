// args: --property overflow
// expect: UNSAFE overflow
// The smallest number has no opposite.
#include <limits.h>

int x = INT_MIN;

int main(void) {
    return -x != 0; //~ overflow
}
