// getcwd that allocates gives memory that is the caller's.
// args: --property memory,leaks
// args explore: --inputs 0,1
// expect: UNSAFE leaks
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char *path = getcwd(NULL, 8); //~ leaks
    if (path && path[0] != '/')
        abort();
    if (__VERIFIER_nondet_bool())
        free(path);
    return 0;
}
