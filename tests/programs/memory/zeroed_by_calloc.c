// args: --property assertions --property memory
// expect: SAFE
// calloc gives zeros, malloc whatever it likes.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *a = calloc(2, sizeof *a);
    assert(a[0] == 0 && a[1] == 0);
    free(a);
    return 0;
}
