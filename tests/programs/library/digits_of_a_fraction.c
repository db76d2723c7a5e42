// args: --property assertions,memory
// expect: SAFE
// The digits of a number are those of the number, rounded as the library does; halves to an even digit.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[32];
    assert(snprintf(text, sizeof text, "%.2f", 3.14159) == 4 && strcmp(text, "3.14") == 0);
    snprintf(text, sizeof text, "%.2f %.1f", 0.125, 0.25);
    assert(strcmp(text, "0.12 0.2") == 0);
    snprintf(text, sizeof text, "%8.3f|%-8.1f|%08.2f", -2.0 / 3, 9.96, -1.5);
    assert(strcmp(text, "  -0.667|10.0    |-0001.50") == 0);
    snprintf(text, sizeof text, "%f %.0f", 1e-5, 2.5);
    assert(strcmp(text, "0.000010 2") == 0);
    return 0;
}
