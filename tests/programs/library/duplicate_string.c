// args: --property assertions --property memory --property leaks
// expect: SAFE
// strdup allocates.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *copy = strdup("abc");
    copy[0] = 'x';
    assert(strcmp(copy, "xbc") == 0);
    free(copy);
    return 0;
}
