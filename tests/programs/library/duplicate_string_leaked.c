// args: --property leaks
// expect: UNSAFE leaks
// And somebody has to free it.
#include <string.h>

int main(void) {
    char *copy = strdup("abc"); //~ leaks
    return copy[0] != 'a';
}
