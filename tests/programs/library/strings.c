// args: --property assertions --property memory
// expect: SAFE
// Functions of string.h on short strings.
#include <assert.h>
#include <string.h>

int main(void) {
    char a[16];
    strcpy(a, "one");
    strcat(a, "-two");
    assert(strlen(a) == 7 && strcmp(a, "one-two") == 0);
    assert(strchr(a, '-') == a + 3 && strrchr(a, 'o') == a + 6 && strchr(a, 'x') == 0);
    assert(strstr(a, "e-t") == a + 2 && strstr(a, "no") == 0);
    assert(strncmp(a, "onX", 2) == 0 && strncmp(a, "onX", 3) > 0 && strcmp("a", "b") < 0);
    strncpy(a, "xy", 4);
    assert(a[1] == 'y' && a[2] == 0 && a[3] == 0 && a[4] == 't');
    return 0;
}
