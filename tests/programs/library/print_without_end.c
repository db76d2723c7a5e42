// args: --property memory
// expect: UNSAFE memory
// The end of the text is missing. A precision stands for it, until it is too large.
#include <stdio.h>

int main(void) {
    char text[3] = {'a', 'b', 'c'};
    int most = 3;
    printf("%.3s %.*s\n", text, most, text);
    fwrite(text, 1, sizeof text, stdout);
    if (most == 3)
        puts(text); //~ memory
    return 0;
}
