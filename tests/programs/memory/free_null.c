// args: --property memory
// expect: SAFE
// free(NULL) does nothing.
#include <stdlib.h>

int main(void) {
    int *p = 0;
    free(p);
    return 0;
}
