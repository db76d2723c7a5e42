// args: --property assertions --property memory
// expect: SAFE
// snprintf writes what it should, and no more than there is room for.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[8];
    int length = snprintf(buffer, sizeof buffer, "%s=%02d;%x%c", "key", 7, 255, '!');
    assert(length == 10);
    assert(strcmp(buffer, "key=07;") == 0);
    return 0;
}
