// args: --property memory
// expect: UNSAFE memory
// sprintf does not know how much room there is.
#include <stdio.h>

int x = 12345;

int main(void) {
    char buffer[5];
    sprintf(buffer, "%d", x); //~ memory
    return buffer[0] - '1';
}
