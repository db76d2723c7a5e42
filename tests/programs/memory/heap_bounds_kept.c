// args: --property memory --property leaks
// expect: SAFE
// All elements, none too far.
#include <stdlib.h>

int main(void) {
    int *a = malloc(3 * sizeof *a);
    for (int i = 0; i < 3; i++)
        a[i] = i;
    free(a);
    return 0;
}
