// args: --property leaks
// expect: UNSAFE leaks
// The object is forgotten.
#include <stdlib.h>

int main(void) {
    char *p = malloc(10); //~ leaks
    p[0] = 1;
    return 0;
}
