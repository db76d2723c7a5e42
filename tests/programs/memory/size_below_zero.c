// No object is larger than half of all addresses: a negative number that becomes a size gives a null pointer.
// args: --property memory
// expect: UNSAFE memory
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int length = __VERIFIER_nondet_int() ? 4 : -4;
    int *checked = calloc(1, length), *unchecked = malloc(length);
    if (checked)
        checked[0] = 1;
    free(checked);
    unchecked[0] = 1; //~ memory
    free(unchecked);
    return 0;
}
