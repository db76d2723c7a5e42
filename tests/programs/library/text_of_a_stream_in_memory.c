// What is printed into a stream in memory is what the caller finds there.
// args: --property assertions,memory
// expect: SAFE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return 1;
    fprintf(memory, "%d-%s", 7, "ab");
    fputc('!', memory);
    fclose(memory);
    assert(size == 5 && strcmp(text, "7-ab!") == 0);
    free(text);
    return 0;
}
