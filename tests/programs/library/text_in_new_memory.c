// args: --property memory,assertions,leaks
// expect: SAFE
// asprintf allocates what it needs.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text;
    int length = asprintf(&text, "%s=%d", "x", 42);
    assert(length == 4 && strcmp(text, "x=42") == 0);
    free(text);
    return 0;
}
