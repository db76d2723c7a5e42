// args: --property memory
// expect: UNSAFE memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = malloc(4);
    strcpy(name, "abc");
    printf("%d: %s\n", 1, name);
    free(name);
    printf("%5d: %-8s!\n", 2, name); //~ memory
    return 0;
}
