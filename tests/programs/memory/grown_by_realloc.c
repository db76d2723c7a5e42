// args: --property assertions --property memory --property leaks
// expect: SAFE
// realloc keeps the contents.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(2 * sizeof *a);
    a[0] = 1;
    a[1] = 2;
    a = realloc(a, 3 * sizeof *a);
    a[2] = 3;
    assert(a[0] + a[1] + a[2] == 6);
    free(a);
    return 0;
}
