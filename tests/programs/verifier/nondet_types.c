// args: --property assertions
// expect: SAFE
// Inputs of all widths stay in their range.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern long __VERIFIER_nondet_long(void);

int main(void) {
    int b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_char();
    int u = __VERIFIER_nondet_uchar(), s = __VERIFIER_nondet_short();
    int h = __VERIFIER_nondet_ushort();
    long l = __VERIFIER_nondet_long();
    assert(b == 0 || b == 1);
    assert(c >= -128 && c <= 127 && u >= 0 && u <= 255);
    assert(s >= -32768 && s <= 32767 && h >= 0 && h <= 65535);
    assert(l <= 0 || l > 0);
    return 0;
}
