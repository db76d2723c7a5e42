// args: --property memory
// expect: UNSAFE memory
#include <stdio.h>

int main(void) {
    char text[3] = {'a', 'b', 'c'};
    printf("%.4s\n", text); //~ memory
    return 0;
}
