// args: --property lost-memory
// expect: SAFE
// expect staged, context, unwinding, lazy: UNKNOWN (whether memory that is left at the end is lost)
// A leak, but not lost: a global still points to it.
#include <stdlib.h>

char *p;

int main(void) {
    p = malloc(8);
    return 0;
}
