// The address that fflush gives is good until the next output only.
// args: --property memory
// expect: UNSAFE memory
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *text;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return 1;
    fputs("a", memory);
    fflush(memory);
    char *before = text;
    fputs("b", memory);
    int first = before[0]; //~ memory
    fclose(memory);
    free(text);
    return first;
}
