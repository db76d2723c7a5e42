// args: --property memory
// args explore: --inputs 12
// expect: UNSAFE memory
// A floating-point number can have more digits than one thinks; snprintf stays within its buffer, sprintf does not.
#include <stdio.h>

int main(void) {
    char safe[4], small[4];
    snprintf(safe, sizeof safe, "%.1f", 0.5);
    sprintf(small, "%.1f", 0.5); //~ memory
    return safe[3];
}
