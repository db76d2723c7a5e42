// args: --property memory
// expect: UNSAFE memory
// One element too far.
#include <stdlib.h>

int main(void) {
    int *a = malloc(3 * sizeof *a);
    for (int i = 0; i <= 3; i++)
        a[i] = i; //~ memory
    free(a);
    return 0;
}
