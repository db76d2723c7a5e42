// Freeing one object on one path leaves another path as it was: there it is freed already.
// args: --property memory
// expect: UNSAFE memory
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    _Bool early = __VERIFIER_nondet_bool();
    char *object = malloc(1), *rest = object;
    *object = 1;
    if (early) {
        free(object);
        rest = NULL;
    }
    free(rest);
    return early ? *object : 0; //~ memory
}
