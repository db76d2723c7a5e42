// args: --property memory
// expect: UNSAFE memory
// The old pointer is invalid after realloc.
#include <stdlib.h>

int main(void) {
    int *a = malloc(sizeof *a), *old = a;
    a = realloc(a, 4 * sizeof *a);
    *old = 1; //~ memory
    free(a);
    return 0;
}
