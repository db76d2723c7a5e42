// args: --property overflow
// expect: UNSAFE overflow
// A shift by the width of the type.
int n = 32;

int main(void) {
    return (int)(1u << n); //~ overflow
}
