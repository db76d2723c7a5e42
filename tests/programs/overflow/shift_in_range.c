// args: --property overflow
// expect: SAFE
// Shifts by less than the width.
int n = 31;

int main(void) {
    unsigned x = 1u << n;
    return (int)(x >> n) - 1;
}
