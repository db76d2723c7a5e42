// args: --property memory
// args explore: --inputs 0,97
// expect: UNSAFE memory
// A word of any length goes into four bytes.
#include <stdio.h>

int main(void) {
    char word[4];
    if (scanf("%3s", word) == 1)
        scanf("%s", word); //~ memory
    return 0;
}
