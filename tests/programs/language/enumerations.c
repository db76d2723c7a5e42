// args: --property assertions
// expect: SAFE
// Enumerations with gaps, as indexes and in switches.
#include <assert.h>

enum colour { RED = 1, GREEN, BLUE = 7, LAST };

static const char *const names[LAST] = {[RED] = "red", [GREEN] = "green", [BLUE] = "blue"};

int main(void) {
    enum colour c = GREEN;
    assert(names[c][0] == 'g' && names[BLUE][3] == 'e' && names[0] == 0);
    c++;
    assert(c == 3 && LAST == 8);
    return 0;
}
