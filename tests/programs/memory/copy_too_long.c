// args: --property memory
// expect: UNSAFE memory
// memcpy past the end of the target.
#include <string.h>

char from[8], to[6];

int main(void) {
    size_t size = sizeof from;
    memcpy(to, from, size); //~ memory
    return to[0];
}
