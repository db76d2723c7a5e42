// args: --property memory
// expect: UNSAFE memory
// No room for the terminating zero.
#include <string.h>

int main(void) {
    char name[4];
    const char *word = "four";
    strcpy(name, word); //~ memory
    return name[0] != 'f';
}
