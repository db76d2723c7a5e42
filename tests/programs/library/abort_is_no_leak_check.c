// args: --property leaks
// expect: SAFE
// Memory in use when the program aborts is no leak.
#include <stdlib.h>

int main(void) {
    char *p = malloc(1);
    if (p)
        abort();
    return 0;
}
