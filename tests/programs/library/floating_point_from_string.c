// args: --property assertions
// expect: SAFE
// Decimal fractions are rounded correctly.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *end;
    assert(atof("0.1") == 0.1);
    assert(strtod("-12.5e2x", &end) == -1250.0 && *end == 'x');
    return 0;
}
