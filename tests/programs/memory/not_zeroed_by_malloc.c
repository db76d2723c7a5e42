// args: --property assertions
// expect: UNSAFE assertions
// Contents of new memory are arbitrary.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(sizeof *a);
    assert(*a == 0); //~ assertions
    return 0;
}
