// args: --property memory
// args explore: --inputs 12,10000
// expect: UNSAFE memory
// A floating-point number has as many digits as it needs: 0.5 fits, what the ratio is when nothing was done does not.
#include <stdio.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    char safe[4], fits[4], small[7];
    snprintf(safe, sizeof safe, "%.1f", 1234.5);
    sprintf(fits, "%.1f", 0.5);
    int percent = __VERIFIER_nondet_int();
    if (percent < 0 || percent > 10000)
        return safe[3];
    sprintf(small, "%.2f", percent / 10.0); //~ memory
    return safe[3];
}
