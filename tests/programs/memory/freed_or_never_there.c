// What was not allocated on a path is not lost there.
// args: --property leaks
// expect: SAFE
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char *object = NULL;
    if (__VERIFIER_nondet_bool())
        object = malloc(8);
    free(object);
    return 0;
}
