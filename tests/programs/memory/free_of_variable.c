// args: --property memory
// expect: UNSAFE memory
// Only heap objects can be freed.
#include <stdlib.h>

int main(void) {
    int x;
    int *p = &x;
    free(p); //~ memory
    return 0;
}
