// args: --property memory
// expect: UNSAFE memory
// Messages of the system can be longer than 32 characters.
#include <errno.h>
#include <string.h>

int main(void) {
    char text[32];
    strcpy(text, strerror(EILSEQ)); //~ memory
    return text[0];
}
