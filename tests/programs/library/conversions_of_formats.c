// Flags, precisions and widths of snprintf, sets of characters of sscanf.
// args: --property assertions,memory
// expect: SAFE
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[16], key[8];
    int number;
    assert(snprintf(text, sizeof text, "%+d|%#x|%03d", 5, 255, 7) == 11);
    assert(strcmp(text, "+5|0xff|007") == 0);
    assert(snprintf(text, sizeof text, "%*s|%.*s", 3, "a", 2, "bcd") == 6);
    assert(strcmp(text, "  a|bc") == 0);
    assert(sscanf("ab=12", "%7[^=]=%d", key, &number) == 2);
    assert(strcmp(key, "ab") == 0 && number == 12);
    return 0;
}
