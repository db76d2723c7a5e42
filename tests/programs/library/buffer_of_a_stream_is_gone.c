// args: --property memory
// expect: UNSAFE memory
// A stream has its buffer until it is closed, but a local variable ends with its function.
#include <stdio.h>

static void begin(void) {
    char buffer[BUFSIZ];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    puts("begin");
}

int main(void) {
    begin();
    puts("end"); //~ memory
    return 0;
}
