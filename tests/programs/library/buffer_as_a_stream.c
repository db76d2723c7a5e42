// A stream on a buffer gives what is in it, and then its end.
// args: --property assertions,memory
// expect: SAFE
#include <assert.h>
#include <stdio.h>

int main(void) {
    char text[] = "ab";
    FILE *memory = fmemopen(text, 2, "r");
    if (!memory)
        return 1;
    assert(fgetc(memory) == 'a' && fgetc(memory) == 'b');
    assert(fgetc(memory) == EOF && feof(memory));
    return fclose(memory);
}
