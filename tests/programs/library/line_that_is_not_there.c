// getline leaves memory to be freed also if nothing was read.
// args: --property leaks
// args explore: --inputs 0,1,-1
// expect: UNSAFE leaks
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = 0;
    size_t size = 0;
    if (getline(&line, &size, stdin) < 0) //~ leaks
        return 1;
    free(line);
    return 0;
}
