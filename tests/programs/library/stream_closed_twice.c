// args: --property memory,leaks
// expect: UNSAFE memory
// The error path closes a stream that is closed already. A stream left open is no leak.
#include <stdio.h>

int main(void) {
    FILE *left = fopen("a", "r"), *file = fopen("b", "r");
    if (!file || !left)
        return 1;
    int c = fgetc(file);
    fclose(file);
    if (c == EOF)
        fclose(file); //~ memory
    return 0;
}
