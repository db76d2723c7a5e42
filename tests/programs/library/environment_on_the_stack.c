// args: --property memory
// expect: UNSAFE memory
// putenv keeps the caller's own text, which is gone here.
#include <stdio.h>
#include <stdlib.h>

static void choose(int level) {
    char text[16];
    snprintf(text, sizeof text, "LEVEL=%d", level);
    putenv(text);
}

int main(void) {
    choose(3);
    char *level = getenv("LEVEL");
    return level && level[0] == '0'; //~ memory
}
